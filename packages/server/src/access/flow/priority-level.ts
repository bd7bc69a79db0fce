/** A priority level: its seats, its queues, what it wants, and its part of the event loop. */

import { numberOf, recordOf } from '@listwatch/api/values';
import type { KubeObject } from '@listwatch/rules/internal';
import { type Demand, DemandMeter } from './demand-meter.ts';
import { Flow } from './flow.ts';
import { LoopLevel } from './loop-share.ts';
import { afterRejection, NO_REJECTIONS, type RetryAfter } from './retry-after.ts';
import type { LevelShares, SeatBounds } from './seat-limits.ts';
import { type Queuing, type SeatListener, SeatQueues } from './seat-queues.ts';
import { TimedBuckets } from './timed-buckets.ts';

/** What a PriorityLevelConfiguration says. */
export interface LevelConfig extends LevelShares {
  readonly queuing: Queuing | undefined;
}

/** While the object `catch-all` is missing. */
const CATCH_ALL: LevelConfig = {
  isExempt: false,
  shares: 5,
  lendablePercent: 0,
  borrowingLimitPercent: undefined,
  queuing: undefined,
};
const EXEMPT: LevelConfig = { ...CATCH_ALL, isExempt: true, shares: 0 };

/** The levels that exist without an object. */
export const MANDATORY_LEVELS: ReadonlyMap<string, LevelConfig> = new Map([
  ['catch-all', CATCH_ALL],
  ['exempt', EXEMPT],
]);

/** Reads an object. It has passed validation, and defaults are filled in. */
export function levelConfig({ spec }: KubeObject): LevelConfig {
  const { type, limited, exempt } = recordOf(spec);
  if (type === 'Exempt') return { ...EXEMPT, ...sharesOf(recordOf(exempt), 0) };
  const settings = recordOf(limited);
  const { type: response, queuing } = recordOf(settings['limitResponse']);
  const { borrowingLimitPercent } = settings;
  return {
    isExempt: false,
    ...sharesOf(settings, 30),
    borrowingLimitPercent: typeof borrowingLimitPercent === 'number' ? borrowingLimitPercent : undefined,
    queuing: response === 'Queue' ? queuingOf(recordOf(queuing)) : undefined,
  };
}

function sharesOf(
  settings: Readonly<Record<string, unknown>>,
  shares: number,
): Pick<LevelShares, 'lendablePercent' | 'shares'> {
  const { nominalConcurrencyShares, lendablePercent } = settings;
  return {
    shares: typeof nominalConcurrencyShares === 'number' ? nominalConcurrencyShares : shares,
    lendablePercent: numberOf(lendablePercent),
  };
}

function queuingOf({ queues, handSize, queueLengthLimit }: Readonly<Record<string, unknown>>): Queuing {
  return {
    queues: Math.max(1, numberOf(queues)),
    handSize: Math.max(1, numberOf(handSize)),
    queueLengthLimit: Math.max(1, numberOf(queueLengthLimit)),
  };
}

/** Flows that a level remembers. More than that are remembered only while they have requests. */
const FLOWS_MAX = 1024;
const NO_DEMAND: Demand = { average: 0, deviation: 0, highest: 0 };
const NO_BOUNDS: SeatBounds = { nominal: 0, lower: 0, upper: 0, first: 0 };
const REQUEST_SHARES = [0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.25, 0.5, 0.75, 1];

/** Lives from the first look at its object until the object is gone and its last request has ended. */
export class PriorityLevel {
  readonly name: string;
  config: LevelConfig;
  bounds: SeatBounds = NO_BOUNDS;
  readonly seats: SeatQueues;
  readonly loop: LoopLevel;
  readonly demand: DemandMeter;
  lastDemand: Demand = NO_DEMAND;
  smoothed = 0;
  target = 0;
  /** Its seats by the last allocation; for an exempt level a number that limits nothing. */
  allocated = 0;
  /** Its object is gone; what waits is still served. */
  isQuiescing = false;
  retry: RetryAfter = NO_REJECTIONS;
  dispatched = 0;
  rejected = 0;
  timedOut = 0;
  dispatchR = 0;
  readonly uses: {
    readonly waiting: TimedBuckets;
    readonly executing: TimedBuckets;
    readonly seats: TimedBuckets;
    readonly demand: TimedBuckets;
  };
  readonly #flows = new Map<string, Flow>();

  constructor(name: string, config: LevelConfig, listener: SeatListener, now: number) {
    this.name = name;
    this.config = config;
    this.seats = new SeatQueues(listener, config.queuing, 0, now);
    this.loop = new LoopLevel(weightOf(config), config.isExempt);
    this.demand = new DemandMeter(now);
    this.uses = {
      waiting: new TimedBuckets(REQUEST_SHARES, now),
      executing: new TimedBuckets(REQUEST_SHARES, now),
      seats: new TimedBuckets([0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1], now),
      demand: new TimedBuckets([0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.7, 2, 2.8, 4, 6], now),
    };
  }

  get isIdle(): boolean {
    return this.seats.executing === 0 && this.seats.waiting === 0;
  }

  /** Flows that are remembered, those that were used last at the end once some have to make room. */
  get flows(): Iterable<Flow> {
    return this.#flows.values();
  }

  configure(config: LevelConfig): void {
    this.config = config;
    this.loop.weight = weightOf(config);
    this.isQuiescing = false;
  }

  limitTo(limit: number, now: number): void {
    this.seats.configure(this.config.queuing, this.config.isExempt ? Number.POSITIVE_INFINITY : limit, now);
  }

  flow(schema: string, distinguisher: string): Flow {
    const key = `${schema}\0${distinguisher}`;
    const known = this.#flows.get(key);
    if (known !== undefined) {
      if (this.#flows.size > FLOWS_MAX / 2) this.#used(key, known);
      return known;
    }
    const made = new Flow(schema, distinguisher, this.loop);
    this.#flows.set(key, made);
    if (this.#flows.size > FLOWS_MAX) this.#forget();
    return made;
  }

  /** The server must not forget a flow in use: the flow would start again without the loop time that it has used. */
  #used(key: string, flow: Flow): void {
    this.#flows.delete(key);
    this.#flows.set(key, flow);
  }

  /** Anybody can come with a new name: flows without requests make room, those first that were not used for longest. */
  #forget(): void {
    let left = this.#flows.size - FLOWS_MAX / 2;
    for (const [key, flow] of this.#flows) {
      if (left <= 0) return;
      left -= 1;
      if (flow.isIdle) this.#flows.delete(key);
    }
  }

  /** A request was rejected: what its answer says in `Retry-After`. */
  reject(now: number): number {
    this.rejected += 1;
    this.retry = afterRejection(this.retry, Math.floor(now / 1000));
    return this.retry.seconds;
  }

  /** The seats in use or those that wait have changed. */
  observe(now: number): void {
    const { inUse, waitingSeats, waiting, executing, limit } = this.seats;
    this.demand.set(inUse + waitingSeats, now);
    const { queuing } = this.config;
    const places = queuing === undefined ? 1 : queuing.queues * queuing.queueLengthLimit;
    const seats = Number.isFinite(limit) ? Math.max(1, limit) : Math.max(1, this.bounds.nominal);
    this.uses.waiting.set(waiting / places, now);
    this.uses.executing.set(executing / seats, now);
    this.uses.seats.set(inUse / seats, now);
    this.uses.demand.set((inUse + waitingSeats) / Math.max(1, this.bounds.nominal), now);
  }
}

/** A level without shares has still a turn now and then. */
function weightOf({ shares }: LevelConfig): number {
  return Math.max(0.1, shares);
}
