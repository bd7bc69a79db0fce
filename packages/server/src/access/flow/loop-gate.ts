/**
 * The fair gate for loop time. Requests ask it for their turn before each stretch of computing. Start-time fair queuing in two
 * layers: levels by their weights, and inside a level its flows alike.
 */

import type { LoopClaim, LoopFlow, LoopLevel, Waiter } from './loop-share.ts';
import { TagHeap } from './tag-heap.ts';

/** The time and the turns of the event loop. */
export interface LoopTime {
  /** Milliseconds. */
  now(): number;
  /** When nothing is left to do but what the system has to tell: promises and ticks have run. */
  whenDrained(task: () => void): void;
  /** When the event loop has looked for what has arrived. */
  nextTurn(task: () => void): void;
}

/** After so long the event loop looks for what has arrived: a new request waits no longer than this for the gate. */
export const SLICE_MS = 2;
/** While less than half of this is used, requests run as they come. */
const WINDOW_MS = 4;

const NODE_TIME: LoopTime = {
  now: () => performance.now(),
  // A tick that is asked for by a promise's job runs when no job is left. The second one comes after the ticks that those jobs have
  // asked for: Node encrypts and writes answers in them, which is a third of the work of a list.
  whenDrained: (task) => queueMicrotask(() => process.nextTick(() => process.nextTick(task))),
  nextTurn: (task) => setImmediate(task),
};

/**
 * A stretch lasts until the promises that it has settled have run. So the next one is chosen after the cost of the last is
 * known, and no guess is needed. A request that nobody waits before runs at once.
 */
export class LoopGate {
  readonly #time: LoopTime;
  readonly #levels = new TagHeap<LoopLevel>();
  /** The virtual time of the levels. */
  #virtualTime = 0;
  #latestFinish = 0;
  #running: LoopClaim | undefined;
  #since = 0;
  #isArmed = false;
  #isScheduled = false;
  #waiting = 0;
  #orders = 0;
  #sliceStart = Number.NEGATIVE_INFINITY;
  #sliceMs = 0;

  constructor(time: LoopTime = NODE_TIME) {
    this.#time = time;
  }

  /** Stretches that wait. In-flight requests bound them. */
  get waiting(): number {
    return this.#waiting;
  }

  /** The virtual time of the levels. */
  get virtualTime(): number {
    return this.#virtualTime;
  }

  /** The time of the event loop, in milliseconds. */
  now(): number {
    return this.#time.now();
  }

  /** Asks for a turn; undefined: go on at once. */
  turn(claim: LoopClaim): Promise<void> | undefined {
    const now = this.#time.now();
    if (this.#running === claim && now - this.#since < SLICE_MS) return undefined;
    if (claim.flow.level.isExempt) {
      if (this.#running !== undefined) this.#settle(now);
      this.#begin(claim, now);
      return undefined;
    }
    if (this.#running === undefined && this.#waiting === 0 && this.#hasTime(now)) {
      this.#tag(claim.flow);
      this.#begin(claim, now);
      return undefined;
    }
    return new Promise((wake) => this.#enqueue({ claim, wake, since: now }));
  }

  /** What it has used of the stretch that is running. */
  running(claim: LoopClaim): number {
    return this.#running === claim ? Math.max(0, this.#time.now() - this.#since) : 0;
  }

  /** Loop time that was used for a flow by somebody else, during or after its requests: watchers that its writes concern. */
  charge(flow: LoopFlow, ms: number): void {
    flow.debtMs += ms;
    flow.level.debtMs += ms;
    this.#use(flow, ms, this.#time.now());
  }

  /** Loop time that the running request did not use itself. */
  exclude(ms: number): void {
    this.#sliceMs += ms;
    if (this.#running !== undefined) this.#since += ms;
  }

  #hasTime(now: number): boolean {
    if (now - this.#sliceStart >= WINDOW_MS) {
      this.#sliceStart = now;
      this.#sliceMs = 0;
    }
    return this.#sliceMs < SLICE_MS;
  }

  #enqueue(waiter: Waiter): void {
    const { flow } = waiter.claim;
    const { level } = flow;
    flow.waiting.push(waiter);
    this.#waiting += 1;
    if (!flow.isRunning && !flow.isQueued) this.#queueFlow(flow, level.time);
    if (!level.isRunning && !level.isQueued) this.#queueLevel(level);
    // A stretch that is running looks for the next one when it ends.
    if (this.#running === undefined) this.#schedule();
  }

  #queueFlow(flow: LoopFlow, earliest: number): void {
    const { level } = flow;
    flow.start = Math.max(earliest, flow.finish + flow.debtMs);
    flow.debtMs = 0;
    flow.order = this.#orders += 1;
    flow.isQueued = true;
    level.flows.push(flow);
  }

  #queueLevel(level: LoopLevel): void {
    level.start = Math.max(this.#virtualTime, level.finish + level.debtMs / level.weight);
    level.debtMs = 0;
    level.order = this.#orders += 1;
    level.isQueued = true;
    this.#levels.push(level);
  }

  /** Tags a flow that runs without having waited. */
  #tag(flow: LoopFlow): void {
    const { level } = flow;
    flow.start = Math.max(level.time, flow.finish + flow.debtMs);
    level.start = Math.max(this.#virtualTime, level.finish + level.debtMs / level.weight);
    flow.debtMs = 0;
    level.debtMs = 0;
  }

  #begin(claim: LoopClaim, now: number): void {
    this.#running = claim;
    this.#since = now;
    const { flow } = claim;
    if (!flow.level.isExempt) {
      flow.isRunning = true;
      flow.level.isRunning = true;
      flow.level.time = Math.max(flow.level.time, flow.start);
      this.#virtualTime = flow.level.start;
    }
    if (this.#isArmed) return;
    this.#isArmed = true;
    this.#time.whenDrained(this.#drained);
  }

  readonly #drained = (): void => {
    this.#isArmed = false;
    if (this.#running !== undefined) this.#settle(this.#time.now());
    if (this.#waiting === 0 || this.#isScheduled) return;
    if (this.#sliceMs >= SLICE_MS) this.#schedule();
    else this.#next();
  };

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#time.nextTurn(() => {
      this.#isScheduled = false;
      this.#sliceStart = this.#time.now();
      this.#sliceMs = 0;
      if (this.#running === undefined) this.#next();
    });
  }

  /** Charges the stretch that has ended. */
  #settle(now: number): void {
    const claim = this.#running;
    if (claim === undefined) return;
    this.#running = undefined;
    const { flow } = claim;
    const { level } = flow;
    const ms = Math.max(0, now - this.#since);
    this.#sliceMs += ms;
    claim.spentMs += ms;
    this.#use(flow, ms, now);
    if (level.isExempt) return;
    flow.isRunning = false;
    level.isRunning = false;
    flow.finish = flow.start + ms;
    level.finish = level.start + ms / level.weight;
    level.latestFinish = Math.max(level.latestFinish, flow.finish);
    // A later user begins where the others are: an endless row of users with one request each must not keep back one that waits.
    level.time += ms / (2 * (level.flows.size + 2));
    this.#latestFinish = Math.max(this.#latestFinish, level.finish);
    // It was not idle: it keeps what it has not had yet.
    if (flow.waiting.length > 0) this.#queueFlow(flow, 0);
    if (level.flows.size > 0) this.#queueLevel(level);
    // Being idle saves up nothing, and clears what was used before.
    else level.time = Math.max(level.time, level.latestFinish);
    if (this.#levels.size === 0) this.#virtualTime = this.#latestFinish;
  }

  /** Runs the stretch with the least start. */
  #next(): void {
    const level = this.#levels.pop();
    const flow = level?.flows.pop();
    const waiter = flow?.waiting.shift();
    if (level === undefined || flow === undefined || waiter === undefined) return;
    level.isQueued = false;
    flow.isQueued = false;
    this.#waiting -= 1;
    this.#begin(waiter.claim, this.#time.now());
    waiter.wake();
  }

  #use(flow: LoopFlow, ms: number, now: number): void {
    flow.use.add(ms, now);
    flow.level.use.add(ms, now);
  }
}
