/** Finds out whether the cache of a kind has everything that was acknowledged before a request. See `freshness.ts` for the steps. */

import { type Clock, isStatusError, sleep } from '@listwatch/api';
import { monotonicMs } from '@listwatch/api/internal';
import type { Beats } from './beat.ts';
import type { FedCache } from './fed-cache.ts';
import {
  type Freshness,
  type FreshnessEnd,
  type FreshnessInput,
  isFreshnessEnd,
  newFreshness,
  stepFreshness,
} from './freshness.ts';
import type { RevisionProbe } from './revision-probe.ts';

export interface LadderParts {
  readonly clock: Clock;
  readonly probe: Pick<RevisionProbe, 'ask'>;
  readonly beats: Pick<Beats, 'isHopeless' | 'reached'>;
  readonly fed: Pick<FedCache, 'reached' | 'revision'>;
}

/** How requests ended, since the start. */
export interface LadderCounts {
  /** By the feed itself, within a round trip or two. */
  atOnce: number;
  /** By a second watch. */
  byBeat: number;
  quiet: number;
  noProof: number;
  away: number;
  doubt: number;
}

/** A request that has begun with the cache asks again after this long, so often: about as long as client-go waits before it complains. */
const AGAIN_MS = 1000;
const ATTEMPTS = 3;
/** A line that swallows everything is tried again after this long. */
const SILENT_MS = 5000;

export class Ladder {
  readonly counts: LadderCounts = { atOnce: 0, byBeat: 0, quiet: 0, noProof: 0, away: 0, doubt: 0 };
  readonly #parts: LadderParts;
  /** When the upstream last took all the time of a probe and said nothing. */
  #silentAt = -Infinity;

  constructor(parts: LadderParts) {
    this.#parts = parts;
  }

  /** Of one request. Rejects with the reason of the signal only. */
  async climb(isSmall: boolean, signal: AbortSignal): Promise<FreshnessEnd> {
    const { clock } = this.#parts;
    let state = newFreshness(monotonicMs(clock));
    let before = state;
    while (!isFreshnessEnd(state)) {
      before = state;
      const input = await this.#wait(state, signal);
      signal.throwIfAborted();
      state = stepFreshness(state, input, monotonicMs(clock), isSmall);
    }
    this.counts[outcomeOf(state, before)] += 1;
    return state;
  }

  /** Is it known that no second watch would prove anything? Then who waits would wait for nothing. */
  get isHopeless(): boolean {
    return this.#parts.beats.isHopeless;
  }

  /** Has it just kept a probe waiting for nothing? Those who need no proof do not wait for the next one. */
  get isSilent(): boolean {
    return monotonicMs(this.#parts.clock) - this.#silentAt < SILENT_MS;
  }

  /** Of a request that can wait. Rejects with the reason of the signal, and when nothing has proven it for long. */
  async proven(signal: AbortSignal): Promise<bigint> {
    for (let attempt = 1; ; attempt += 1) {
      const end = await this.climb(false, signal);
      if (end.type === 'proven') return end.revision;
      if (attempt === ATTEMPTS || this.isHopeless) throw new Error('nothing proves how far the cache is');
      await sleep(this.#parts.clock, AGAIN_MS, signal);
    }
  }

  async #wait(state: Exclude<Freshness, FreshnessEnd>, signal: AbortSignal): Promise<FreshnessInput> {
    const { clock, probe, beats, fed } = this.#parts;
    if (state.type === 'probing') {
      try {
        return { type: 'probed', ...(await probe.ask(() => fed.revision ?? 0n, signal)) };
      } catch (error) {
        const now = monotonicMs(clock);
        if (!signal.aborted && now >= state.until) this.#silentAt = now;
        return { type: 'failed', isAnswered: isAnswer(error) };
      }
    }
    const ms = Math.max(0, state.until - monotonicMs(clock));
    const by = state.type === 'beating' ? beats : fed;
    return { type: (await by.reached(state.revision, signal, ms)) ? 'reached' : 'elapsed' };
  }
}

function outcomeOf(end: FreshnessEnd, before: Freshness): keyof LadderCounts {
  if (end.type === 'proven') return before.type === 'beating' ? 'byBeat' : 'atOnce';
  return end.why === 'no proof' ? 'noProof' : end.why;
}

/** Not of a gateway in front of a server that is away. */
function isAnswer(error: unknown): boolean {
  return isStatusError(error) && ![502, 503, 504].includes(error.httpCode);
}
