/** Keeps decisions for a short time, and asks once for all who want the same one. */

import { createHmac, randomBytes } from 'node:crypto';
import { type Clock, sleep } from '@listwatch/api';
import { monotonicMs } from '@listwatch/api/internal';

/** A decision, and how long it may be kept. */
export interface Decided<V> {
  readonly value: V;
  readonly keepMs: number;
  /** How long it can be true at all, as a token is valid. Default: for ever. */
  readonly validMs?: number | undefined;
}

/** Decisions that stand in for an answer that cannot be had. */
export interface StretchOptions<V> {
  /** So long after their question. */
  readonly ms: number;
  /** A refusal is not stretched. */
  readonly isAllowed: (value: V) => boolean;
  /** Nothing stands in for a question that was answered, with whatever failure. */
  readonly isUnanswered: (error: unknown) => boolean;
}

/** Options of a {@link DecisionCache}. */
export interface DecisionCacheOptions<V> {
  readonly clock: Clock;
  /** Decisions that are kept at most. */
  readonly maxKept: number;
  /** Questions that are asked at one time; with more `ask` rejects. */
  readonly maxAsked: number;
  /** Made when too many are asked. */
  readonly tooMany: () => Error;
  /** Default: a question that cannot be asked fails. */
  readonly stretch?: StretchOptions<V> | undefined;
}

/** Numbers for metrics. */
export interface DecisionCounts {
  hits: number;
  asked: number;
  failed: number;
  refused: number;
  /** Questions without an answer in time, for which an earlier one stood in. */
  stretched: number;
}

interface Kept<V> {
  readonly value: V;
  readonly until: number;
}

/** What stands in for answers, for a process that was restarted. The keys say nothing without the secret. */
export interface KnownDecisions<V> {
  readonly secret: string;
  /** Key, value, and until when, in milliseconds since 1970. */
  readonly entries: readonly (readonly [key: string, value: V, until: number])[];
}

/** So long an answer that stood in is not asked for again. */
const STRETCHED_MS = 10_000;
/** A line that swallows everything says so after 10 s only: who is known does not wait so long. */
const PATIENCE_MS = 2000;

/** By a keyed hash of the question: a dump of the memory has no token in it, and nobody can compute the key of a guess. */
export class DecisionCache<V> {
  readonly counts: DecisionCounts = { hits: 0, asked: 0, failed: 0, refused: 0, stretched: 0 };
  readonly #options: DecisionCacheOptions<V>;
  #secret = randomBytes(32);
  #kept = new Map<string, Kept<V>>();
  /** Of this epoch: after `drop` nobody joins a question that was asked before. */
  #asked = new Map<string, Promise<V>>();
  #running = 0;
  /** Of the same decisions those that may be stretched, the oldest first. */
  #known = new Map<string, Kept<V>>();

  constructor(options: DecisionCacheOptions<V>) {
    this.#options = options;
  }

  get size(): number {
    return this.#kept.size;
  }

  /** Questions that wait for their answer. */
  get running(): number {
    return this.#running;
  }

  /** A decision that is kept, or the answer of `ask`. A failure is not kept: everybody who shares the question gets it. */
  of(question: string, ask: () => Promise<Decided<V>>): Promise<V> | V {
    const key = createHmac('sha256', this.#secret).update(question).digest('base64');
    const kept = this.#kept.get(key);
    if (kept !== undefined && kept.until > monotonicMs(this.#options.clock)) {
      this.counts.hits += 1;
      return kept.value;
    }
    this.#kept.delete(key);
    const asked = this.#asked.get(key);
    if (asked !== undefined) return asked;
    if (this.#running >= this.#options.maxAsked) {
      this.counts.refused += 1;
      return Promise.reject(this.#options.tooMany());
    }
    const asking = this.#ask(key, ask);
    this.#asked.set(key, asking);
    return asking;
  }

  /** Forgets every decision, also those that are being asked for: whoever asked before may have been told of the past. */
  drop(): void {
    this.refresh();
    this.#known = new Map();
  }

  /** Every decision is asked for again; those that may be stretched are not forgotten. */
  refresh(): void {
    this.#kept = new Map();
    this.#asked = new Map();
  }

  /** Undefined: there is nothing to stretch. */
  get known(): KnownDecisions<V> | undefined {
    const { clock, stretch } = this.#options;
    if (stretch === undefined) return undefined;
    const shift = clock.now() - monotonicMs(clock);
    const entries = [...this.#known].map(([key, { value, until }]) => [key, value, until + shift] as const);
    return { secret: this.#secret.toString('base64'), entries };
  }

  /** Before the first question. What was known stands in for answers; it is no answer. */
  restore({ secret, entries }: KnownDecisions<V>): void {
    const { clock, stretch, maxKept } = this.#options;
    if (stretch === undefined || this.counts.asked > 0) return;
    this.#secret = Buffer.from(secret, 'base64');
    const shift = clock.now() - monotonicMs(clock);
    // Whatever the file says, and wherever the clock stood: no longer than from now on.
    const latest = monotonicMs(clock) + stretch.ms;
    for (const [key, value, until] of entries.slice(-maxKept))
      if (stretch.isAllowed(value)) this.#known.set(key, { value, until: Math.min(until - shift, latest) });
  }

  /** The answer, or what stands in for it. */
  async #ask(key: string, ask: () => Promise<Decided<V>>): Promise<V> {
    const { clock, stretch } = this.#options;
    const kept = this.#kept;
    const answer = this.#answer(key, ask);
    if (stretch === undefined || !this.#known.has(key)) return answer;
    const waits = new AbortController();
    const late = sleep(clock, PATIENCE_MS, waits.signal).then(
      () => 'late' as const,
      () => 'late' as const,
    );
    const first = answer.then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    const end = await Promise.race([first, late]);
    waits.abort();
    if (end !== 'late' && 'value' in end) return end.value;
    // Not what was known before rights changed.
    const standIn = this.#known.get(key);
    const now = monotonicMs(clock);
    const mayStandIn = end === 'late' || stretch.isUnanswered(end.error);
    if (standIn === undefined || standIn.until <= now || !mayStandIn) return answer;
    this.counts.stretched += 1;
    // An answer that comes later takes its place.
    if (kept === this.#kept) {
      const until = Math.min(standIn.until, now + STRETCHED_MS);
      keep(kept, key, { value: standIn.value, until }, this.#options.maxKept);
    }
    return standIn.value;
  }

  async #answer(key: string, ask: () => Promise<Decided<V>>): Promise<V> {
    const { clock, maxKept } = this.#options;
    const kept = this.#kept;
    const asked = this.#asked;
    const known = this.#known;
    // It counts from the moment of the question: the answer may be as old as that.
    const begun = monotonicMs(clock);
    this.#running += 1;
    this.counts.asked += 1;
    try {
      const { value, keepMs, validMs = Infinity } = await ask();
      if (kept === this.#kept) {
        kept.delete(key);
        if (keepMs > 0) keep(kept, key, { value, until: begun + keepMs }, maxKept);
      }
      if (known === this.#known) this.#learn(key, value, begun, validMs);
      return value;
    } catch (error) {
      this.counts.failed += 1;
      throw error;
    } finally {
      this.#running -= 1;
      asked.delete(key);
    }
  }

  #learn(key: string, value: V, begun: number, validMs: number): void {
    const { stretch, maxKept } = this.#options;
    if (stretch === undefined) return;
    this.#known.delete(key);
    const until = begun + Math.min(stretch.ms, validMs);
    if (stretch.isAllowed(value)) keep(this.#known, key, { value, until }, maxKept);
  }
}

function keep<V>(map: Map<string, Kept<V>>, key: string, value: Kept<V>, max: number): void {
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > max && oldest !== undefined) map.delete(oldest);
}
