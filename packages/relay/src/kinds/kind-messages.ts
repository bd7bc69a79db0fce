/** The objects of one kind in protobuf, made from the JSON that the upstream has sent: exactly as it would send them, or not at all. */

import { isRecord } from '@listwatch/api/values';
import { MessageCoverage, type MessagePlan } from '@listwatch/schema';
import { decodeJson, encodeRecord, messagePlan, type ReadKind } from '@listwatch/server/read';

/** In place of bytes that are no UTF-8: Go writes them as they are in protobuf. */
const NO_TEXT = Buffer.from(String.raw`\ufffd`);

/** An object whose protobuf only the upstream knows. */
export class UnknownMessage extends Error {
  override readonly name = 'UnknownMessage';
}

/** Once an object was seen that only the upstream can encode, requests for protobuf of the kind pass: its watches would end again and again. */
export class KindMessages {
  readonly #definition: ReadKind;
  #plan: MessagePlan | undefined;
  #coverage: MessageCoverage | undefined;
  #isWhole = true;

  /** The schema of the kind is loaded when one of the others is called. */
  constructor(definition: ReadKind) {
    this.#definition = definition;
  }

  /** Can every object that was seen so far be answered in protobuf? */
  get areKnown(): boolean {
    return this.#isWhole && this.#known().coverage.isExact;
  }

  /** Throws an {@link UnknownMessage}. */
  readonly encode = (served: Buffer): Buffer => {
    const { plan, coverage } = this.#known();
    try {
      const object = served.includes(NO_TEXT) ? undefined : decodeJson(served);
      if (isRecord(object) && coverage.covers(object)) return encodeRecord(plan, object);
    } catch {
      // A value of another type than the schema has.
    }
    this.#isWhole = false;
    throw new UnknownMessage('the protobuf of an object is not known');
  };

  #known(): { readonly plan: MessagePlan; readonly coverage: MessageCoverage } {
    this.#plan ??= messagePlan(this.#definition);
    this.#coverage ??= new MessageCoverage(this.#plan);
    return { plan: this.#plan, coverage: this.#coverage };
  }
}
