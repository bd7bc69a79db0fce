/** The protobuf of objects: made once for each object and version, when a client first asks for it, and kept within a budget. */

import type { BudgetMember, ByteBudget } from './byte-budget.ts';
import type { CachedObject } from './cached-object.ts';

/** What a message takes beside its bytes. An estimate. */
const MESSAGE_BYTES = 150;

/** Lists, watches and single objects share the messages. Holds nothing until somebody asks for protobuf. */
export class MessageCache implements BudgetMember {
  readonly #encode: (json: Buffer) => Buffer;
  readonly #budget: ByteBudget;
  /** In the order in which they were made: the oldest go first. */
  readonly #messages = new Map<CachedObject, Buffer>();
  #bytes = 0;
  #isEnded = false;

  /** `encode` is called when the schema of the kind is loaded. */
  constructor(encode: (json: Buffer) => Buffer, budget: ByteBudget) {
    this.#encode = encode;
    this.#budget = budget;
    budget.add(this);
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The message of an object, without its envelope. Shared: never write into it. Throws for an object that is not of its kind. */
  of(object: CachedObject): Buffer {
    const known = this.#messages.get(object);
    if (known !== undefined) return known;
    const message = this.#encode(object.bytes);
    this.#keep(object, message);
    return message;
  }

  /** Lets `make` encode the object, and keeps the message. A message that the budget cannot hold is made again by `of`. */
  async prepare(object: CachedObject, make: () => Promise<Buffer>): Promise<void> {
    if (!this.#messages.has(object)) this.#keep(object, await make());
  }

  #keep(object: CachedObject, message: Buffer): void {
    const size = message.length + MESSAGE_BYTES;
    // A message above the budget would push out all others and then itself.
    if (this.#isEnded || size > this.#budget.maxBytes || this.#messages.has(object)) return;
    this.#messages.set(object, message);
    this.#bytes += size;
    this.#budget.charge(size);
  }

  evictOldest(): boolean {
    for (const [object, message] of this.#messages) {
      this.#messages.delete(object);
      this.#give(message.length + MESSAGE_BYTES);
      return true;
    }
    return false;
  }

  /** Gives everything back, and keeps nothing from now on. */
  dispose(): void {
    this.#isEnded = true;
    this.#messages.clear();
    this.#give(this.#bytes);
    this.#budget.remove(this);
  }

  #give(size: number): void {
    this.#bytes -= size;
    this.#budget.charge(-size);
  }
}
