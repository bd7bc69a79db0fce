/** A flow: the requests of one FlowSchema that have the same distinguisher, a user or a namespace. */

import { dealHand, flowHash } from './flow-hand.ts';
import { LoopFlow, type LoopLevel } from './loop-share.ts';

/** Its seats, its queues and its part of the event loop. */
export class Flow {
  readonly schema: string;
  readonly distinguisher: string;
  readonly loop: LoopFlow;
  /** Seats that its requests hold now. */
  seats = 0;
  executing = 0;
  waiting = 0;
  #hand: readonly number[] | undefined;
  #queues = 0;
  #handSize = 0;

  constructor(schema: string, distinguisher: string, level: LoopLevel) {
    this.schema = schema;
    this.distinguisher = distinguisher;
    this.loop = new LoopFlow(level);
  }

  /** Has it no request, and no stretch in the gate? */
  get isIdle(): boolean {
    return this.executing === 0 && this.waiting === 0 && this.loop.waiting.length === 0 && !this.loop.isRunning;
  }

  /** When its oldest stretch began to wait for the event loop; undefined: none waits. */
  get waitsSince(): number | undefined {
    return this.loop.waiting[0]?.since;
  }

  /** The queues that it may use. */
  hand(queues: number, handSize: number): readonly number[] {
    if (this.#hand === undefined || this.#queues !== queues || this.#handSize !== handSize) {
      this.#hand = dealHand(flowHash(this.schema, this.distinguisher), queues, handSize);
      this.#queues = queues;
      this.#handSize = handSize;
    }
    return this.#hand;
  }
}
