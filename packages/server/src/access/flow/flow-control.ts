/** Flow control: which level and flow a request belongs to, its seats, and its turns of the event loop. Start here. */

import { monotonicMs } from '@listwatch/api/internal';
import type { CancelTimer, Clock } from '@listwatch/storage';
import type { AccessAttributes } from '../../contract/authorization.ts';
import { Buckets } from '../../contract/buckets.ts';
import { FlowClassifier, type FlowObjects, type FlowSchemaMatch } from '../flow-classifier.ts';
import { FlowDeliveries } from './flow-deliveries.ts';
import { FlowTicket } from './flow-ticket.ts';
import { KindCounts, type RequestKindName } from './kind-counts.ts';
import { LoopGate } from './loop-gate.ts';
import { type LevelConfig, levelConfig, MANDATORY_LEVELS, PriorityLevel } from './priority-level.ts';
import { SchemaCounts } from './schema-counts.ts';
import { allocateSeats, seatBounds, smoothedDemand } from './seat-limits.ts';
import type { SeatRequest } from './seat-request.ts';

/** What flow control needs. */
export interface FlowControlOptions {
  /** The objects as far as they are known. */
  readonly read: () => FlowObjects;
  /** The requests that may run at one time, of all levels together. */
  readonly totalSeats: number;
  readonly clock: Clock;
  /** Default: one on the event loop of Node. */
  readonly gate?: LoopGate | undefined;
}

/** Whoever sends the events of watches, in rounds. */
interface DeliveryHooks {
  onOffered: ((key: string, watchers: number) => void) | undefined;
  onRound: () => void;
  onSpent: (ms: number) => void;
}

/** Seats are allocated anew this often. */
const PERIOD_MS = 10_000;
/** After a longer time without requests all levels are idle: more periods change nothing that matters. */
const PERIODS_MAX = 60;
/** Counts of schemas; those of schemas that are gone make room. */
const COUNTS_MAX = 4096;
/** A request that holds more bytes than this takes more seats. */
const SEAT_BYTES = 100_000;
const SEATS_MAX = 100;
/** A level's widest request takes at most this part of its seats. */
const WIDEST_PART = 0.15;
const FILTER_SECONDS = [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 5, 10, 15, 30];

/** One for each server. */
export class FlowControl {
  readonly gate: LoopGate;
  readonly deliveries: FlowDeliveries = new FlowDeliveries();
  readonly clock: Clock;
  readonly kinds: Readonly<Record<RequestKindName, KindCounts>>;
  /** What requests waited in flow control before anything else was done for them, in seconds. */
  readonly filterSeconds: Buckets = new Buckets(FILTER_SECONDS);
  readonly #classifier: FlowClassifier;
  readonly #total: number;
  readonly #levels = new Map<string, PriorityLevel>();
  readonly #counts = new Map<string, SchemaCounts>();
  readonly #bindings = new WeakMap<FlowSchemaMatch, SchemaBinding>();
  #configured: readonly unknown[] | undefined;
  #fairFraction = 0;
  #periodEnd: number;
  #cancelPeriod: CancelTimer | undefined;

  constructor({ read, totalSeats, clock, gate = new LoopGate() }: FlowControlOptions) {
    this.#classifier = new FlowClassifier(read);
    this.#total = totalSeats;
    this.clock = clock;
    this.gate = gate;
    this.#periodEnd = this.now() + PERIOD_MS;
    const now = this.now();
    this.kinds = { mutating: new KindCounts(totalSeats, now), readOnly: new KindCounts(totalSeats, now) };
  }

  /** The objects as they are now. */
  get objects(): FlowObjects {
    return this.#classifier.objects;
  }

  get levels(): Iterable<PriorityLevel> {
    return this.#levels.values();
  }

  get counts(): Iterable<SchemaCounts> {
    return this.#counts.values();
  }

  get fairFraction(): number {
    return this.#fairFraction;
  }

  now(): number {
    return monotonicMs(this.clock);
  }

  /** Brings limits and demands up to date, for whoever reads them. */
  refresh(): void {
    this.#reconfigure();
    this.#allocateIfDue(this.now());
  }

  /** The ticket of a request; undefined: it is not limited. `bytes` is the size of its body. */
  ticket(attributes: AccessAttributes, bytes: number, isWatch: boolean): FlowTicket | undefined {
    const match = this.#classifier.classify(attributes);
    if (match === undefined) return undefined;
    this.#reconfigure();
    const { level, counts } = this.#bind(match);
    const seats = bytes <= SEAT_BYTES ? 1 : Math.min(Math.ceil(bytes / SEAT_BYTES), widest(level));
    const distinguisher =
      match.distinguisher === 'user'
        ? attributes.user.name
        : match.distinguisher === 'namespace'
          ? attributes.namespace
          : '';
    return new FlowTicket(this, {
      level,
      counts,
      match,
      flow: level.flow(match.name, distinguisher),
      seats,
      isWatch,
      attributes,
    });
  }

  /** Before a request asks for seats: what is due is done, and a timer runs while requests wait. */
  arriving(now: number): void {
    this.#allocateIfDue(now);
  }

  /** A request waits: seats may come with the next allocation. */
  waits(): void {
    this.#cancelPeriod ??= this.clock.after(Math.max(1, this.#periodEnd - this.now()), () => {
      this.#cancelPeriod = undefined;
      this.#allocateIfDue(this.now());
      for (const { seats } of this.#levels.values()) if (seats.waiting > 0) return this.waits();
    });
  }

  /** Charges the sending of events to those who wrote. The request that runs meanwhile does not pay for it. */
  bills(pacer: DeliveryHooks): void {
    pacer.onOffered = (key, watchers) => this.deliveries.offered(key, watchers);
    pacer.onRound = () => this.deliveries.roundBegins();
    pacer.onSpent = (ms) => {
      this.gate.exclude(ms);
      this.deliveries.spent(ms);
    };
  }

  close(): void {
    this.#cancelPeriod?.();
    this.#cancelPeriod = undefined;
  }

  /** A level without an object ends with its last request. */
  settled(level: PriorityLevel): void {
    if (level.isQuiescing && level.isIdle && this.#levels.get(level.name) === level) this.#levels.delete(level.name);
  }

  #bind(match: FlowSchemaMatch): SchemaBinding {
    const known = this.#bindings.get(match);
    if (known !== undefined && !known.level.isQuiescing) return known;
    const level = this.#levels.get(match.level) ?? this.#levels.get('catch-all');
    if (level === undefined) throw new TypeError(`there is no priority level ${match.level}`);
    const key = `${match.name}\0${level.name}`;
    const counts = this.#counts.get(key) ?? new SchemaCounts(match.name, level.name);
    // Counts that are in use are at the end: the oldest make room.
    this.#counts.delete(key);
    this.#counts.set(key, counts);
    if (this.#counts.size > COUNTS_MAX) this.#forgetCounts();
    const binding = { level, counts };
    this.#bindings.set(match, binding);
    return binding;
  }

  #forgetCounts(): void {
    for (const [key, { executing, waiting }] of this.#counts) {
      if (this.#counts.size <= COUNTS_MAX / 2) return;
      if (executing === 0 && waiting === 0) this.#counts.delete(key);
    }
  }

  #reconfigure(): void {
    const { levels } = this.#classifier.objects;
    if (levels === this.#configured) return;
    this.#configured = levels;
    const now = this.now();
    const configs = new Map<string, LevelConfig>(MANDATORY_LEVELS);
    for (const object of levels) configs.set(object.metadata.name ?? '', levelConfig(object));
    const bounds = seatBounds(configs, this.#total);
    for (const level of this.#levels.values()) {
      if (configs.has(level.name)) continue;
      level.isQuiescing = true;
      this.settled(level);
    }
    for (const [name, config] of configs) {
      const level = this.#levels.get(name) ?? this.#newLevel(name, config, now);
      level.configure(config);
      level.bounds = bounds.get(name) ?? level.bounds;
    }
    this.#allocate(now);
  }

  #newLevel(name: string, config: LevelConfig, now: number): PriorityLevel {
    const level: PriorityLevel = new PriorityLevel(
      name,
      config,
      {
        dispatched: (request) => this.#dispatched(level, request),
        blocked: ({ flow }) => {
          const counts = this.#counts.get(`${flow.schema}\0${name}`);
          if (counts !== undefined) counts.noAccommodation += 1;
        },
        changed: () => level.observe(this.now()),
      },
      now,
    );
    this.#levels.set(name, level);
    return level;
  }

  #dispatched(level: PriorityLevel, _request: SeatRequest): void {
    level.dispatched += 1;
    level.dispatchR = level.seats.virtualTime;
  }

  #allocateIfDue(now: number): void {
    for (let periods = 0; now >= this.#periodEnd; periods += 1) {
      if (periods >= PERIODS_MAX) {
        this.#periodEnd = now + PERIOD_MS;
        return;
      }
      const end = this.#periodEnd;
      this.#periodEnd = end + PERIOD_MS;
      for (const level of this.#levels.values()) {
        level.lastDemand = level.demand.take(end);
        level.smoothed = smoothedDemand(level.smoothed, level.lastDemand);
      }
      this.#allocate(end);
    }
  }

  #allocate(now: number): void {
    const claims = new Map(
      [...this.#levels.values()]
        .filter(({ isQuiescing }) => !isQuiescing)
        .map((level) => [
          level,
          {
            isExempt: level.config.isExempt,
            bounds: level.bounds,
            highest: level.lastDemand.highest,
            smoothed: level.smoothed,
          },
        ]),
    );
    const { limits, targets, fairFraction } = allocateSeats(claims);
    this.#fairFraction = fairFraction;
    for (const [level, limit] of limits) {
      level.target = targets.get(level) ?? 0;
      level.allocated = limit;
      level.limitTo(limit, now);
    }
  }
}

interface SchemaBinding {
  readonly level: PriorityLevel;
  readonly counts: SchemaCounts;
}

/** As in Kubernetes: no request of a queuing level may take so many seats that its flow cannot have several. */
function widest({ config, bounds: { nominal } }: PriorityLevel): number {
  const { queuing } = config;
  if (queuing === undefined) return SEATS_MAX;
  return Math.max(1, Math.min(Math.ceil(WIDEST_PART * nominal), Math.floor(nominal / queuing.handSize), SEATS_MAX));
}
