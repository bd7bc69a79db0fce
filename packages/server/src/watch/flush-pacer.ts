/** When watchers are sent their events: at once, and under load no more than half of the time. */

import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';

/** Something with events to send: the watchers of a kind. */
export interface FlushSource {
  /**
   * Goes on with sending until `isOver`, which is called after each watcher, says so. True: every watcher that had events
   * when the round began has been served. Events that come meanwhile are for another round.
   */
  flush(isOver: () => boolean): boolean;
}

/** The time and the turns of the event loop. */
export interface PacerTime {
  /** Milliseconds. */
  now(): number;
  /** Before this turn of the event loop goes on to anything else. */
  atOnce(task: () => void): void;
  /** When the event loop has looked for what has arrived. */
  nextTurn(task: () => void): void;
  after(ms: number, task: () => void): void;
}

/** The first watchers of a round are served before the answer to the writer, which must not wait for all of them. */
const FIRST_SLICE_MS = 1;
/** Requests are read at least this often while the others are served. */
const SLICE_MS = 2;
/** After a round no other begins for as long as it took: what arrives meanwhile leaves in one write for each socket. */
const REST_PER_COST = 1;
/** A process that was stopped in the middle of a round must not rest as long again: no watcher costs more than this. */
const MAX_REST_MS_PER_WATCHER = 0.1;
const MAX_REST_MS = 50;
/** To look at the time costs a little: this many watchers are served in less than a millisecond. */
const WATCHERS_BETWEEN_LOOKS = 16;
/** The shortest time that a timer takes. */
const TIMER_MS = 1;

const LOOP_TIME: PacerTime = {
  now: () => performance.now(),
  atOnce: (task) => queueMicrotask(task),
  nextTurn: (task) => setImmediate(task),
  after: (ms, task) => setTimeout(task, ms),
};

/**
 * Shared by all kinds. A lone event leaves before the turn of the event loop in which it came is over, so before the
 * answer to its writer. Every write to a socket costs about the same, however many events are in it: under steady
 * load the rests between rounds make the writes fewer and leave the other half of the time to requests.
 */
export class FlushPacer {
  /**
   * Microseconds from the first event of a round until every watcher of the round had been written to. Whoever reads it
   * resets it.
   */
  readonly delays: RecordableHistogram = createHistogram();
  /** Hears of each event that is to be sent, under its key, and for how many watchers. */
  onOffered: ((key: string, watchers: number) => void) | undefined;
  /** Hears that a round begins with the events until now. */
  onRound: () => void = () => {};
  /** Hears how many milliseconds a slice of the round has taken. */
  onSpent: (ms: number) => void = () => {};
  readonly #time: PacerTime;
  /** For the next round. */
  readonly #waiting = new Set<FlushSource>();
  /** Not served yet in the round that is under way. */
  #round: FlushSource[] = [];
  /** What the round has cost so far, and the watchers that it has served. */
  #cost = 0;
  #served = 0;
  #restsUntil = 0;
  #isScheduled = false;
  #spent = 0;
  /** When the first event of the next round came, and the first event of the current round. */
  #waitsSince = 0;
  #roundSince = 0;

  constructor(time: PacerTime = LOOP_TIME) {
    this.#time = time;
  }

  /** Milliseconds that sending has taken since the start. */
  get spent(): number {
    return this.#spent;
  }

  /** There are events to send. */
  request(source: FlushSource): void {
    if (this.#waiting.size === 0) this.#waitsSince = this.#time.now();
    this.#waiting.add(source);
    if (!this.#isScheduled) this.#schedule();
  }

  #schedule(): void {
    this.#isScheduled = true;
    const rest = this.#restsUntil - this.#time.now();
    if (rest <= 0) this.#time.atOnce(this.#run);
    else if (rest < TIMER_MS) this.#time.nextTurn(this.#run);
    else this.#time.after(rest, this.#run);
  }

  readonly #run = (): void => {
    const isFirst = this.#round.length === 0;
    if (isFirst) {
      this.#round = [...this.#waiting];
      this.#waiting.clear();
      this.#roundSince = this.#waitsSince;
      this.#cost = 0;
      this.#served = 0;
      this.onRound();
    }
    const start = this.#time.now();
    const end = start + (isFirst ? FIRST_SLICE_MS : SLICE_MS);
    const isOver = (): boolean => {
      this.#served += 1;
      return this.#served % WATCHERS_BETWEEN_LOOKS === 0 && this.#time.now() >= end;
    };
    let isDone = false;
    try {
      isDone = this.#slice(isOver);
    } finally {
      // Also after a failure: the watchers of the other kinds must not wait for ever.
      this.#endSlice(start, isDone);
    }
  };

  #slice(isOver: () => boolean): boolean {
    for (let source = this.#round.shift(); source !== undefined; source = this.#round.shift()) {
      if (source.flush(isOver)) continue;
      this.#round.unshift(source);
      return false;
    }
    return true;
  }

  #endSlice(start: number, isDone: boolean): void {
    const now = this.#time.now();
    this.#cost += now - start;
    this.#spent += now - start;
    this.onSpent(now - start);
    if (!isDone) {
      this.#time.nextTurn(this.#run);
      return;
    }
    this.delays.record(Math.max(1, Math.round((now - this.#roundSince) * 1000)));
    this.#restsUntil = now + Math.min(this.#cost * REST_PER_COST, this.#served * MAX_REST_MS_PER_WATCHER, MAX_REST_MS);
    this.#isScheduled = false;
    if (this.#waiting.size > 0) this.#schedule();
  }
}
