/** Who shares the event loop: levels by their weights, and the flows of a level alike. */

import { type Tagged, TagHeap } from './tag-heap.ts';

/** A moving sum: what was used in about the last ten seconds counts, older use fades. */
const FADE_MS = 10_000;

/** Loop time of a level or a flow, in milliseconds. */
export class LoopUse {
  total = 0;
  #recent = 0;
  #at = 0;

  add(ms: number, now: number): void {
    this.total += ms;
    this.#recent = this.#recent * Math.exp((this.#at - now) / FADE_MS) + ms;
    this.#at = now;
  }

  /** The part of the loop that it had lately, 0 to 1. */
  share(now: number): number {
    return Math.min(1, (this.#recent * Math.exp((this.#at - now) / FADE_MS)) / FADE_MS);
  }
}

/** One stretch of computing that waits for its turn. */
export interface Waiter {
  readonly claim: LoopClaim;
  readonly wake: () => void;
  readonly since: number;
}

/** One request, which asks for turns. */
export interface LoopClaim {
  readonly flow: LoopFlow;
  /** Loop time that it has had, in milliseconds. */
  spentMs: number;
}

/** A priority level in the gate. */
export class LoopLevel implements Tagged {
  start = 0;
  order = 0;
  finish = 0;
  /** The virtual time of its flows: the start of the last stretch that ran. */
  time = 0;
  latestFinish = 0;
  /** Loop time that was used for it outside of its turns. */
  debtMs = 0;
  isRunning = false;
  isQueued = false;
  weight: number;
  readonly isExempt: boolean;
  readonly flows: TagHeap<LoopFlow> = new TagHeap();
  readonly use: LoopUse = new LoopUse();

  constructor(weight: number, isExempt: boolean) {
    this.weight = weight;
    this.isExempt = isExempt;
  }
}

/** A flow in the gate. Its stretches run in the order in which they asked. */
export class LoopFlow implements Tagged {
  start = 0;
  order = 0;
  finish = 0;
  debtMs = 0;
  isRunning = false;
  isQueued = false;
  readonly level: LoopLevel;
  readonly waiting: Waiter[] = [];
  readonly use: LoopUse = new LoopUse();

  constructor(level: LoopLevel) {
    this.level = level;
  }
}
