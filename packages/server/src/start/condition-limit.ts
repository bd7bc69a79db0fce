/** How often the condition of one object may be written. Pure: times are passed in, in milliseconds. */

/** As kube-apiserver. */
const WRITES_MAX = 6;
const WINDOW_MS = 60_000;
const PAUSE_MS = 30_000;
const PAUSE_JITTER_MS = 45_000;

interface Writes {
  readonly times: number[];
  pausedUntil: number;
}

/** Servers that disagree about a condition would overwrite each other without end. */
export class ConditionLimit {
  readonly #jitter: () => number;
  readonly #writes = new Map<string, Writes>();

  /** `jitter`: 0 to 1, so that servers which disagree do not begin again at the same time. */
  constructor(jitter: () => number = Math.random) {
    this.#jitter = jitter;
  }

  /** 0: the object may be written, which counts as done. Otherwise how long to wait. */
  take(name: string, now: number): number {
    const known = this.#writes.get(name) ?? { times: [], pausedUntil: 0 };
    this.#writes.set(name, known);
    if (now < known.pausedUntil) return known.pausedUntil - now;
    while (known.times.length > 0 && now - (known.times[0] ?? now) >= WINDOW_MS) known.times.shift();
    if (known.times.length >= WRITES_MAX) {
      known.times.length = 0;
      known.pausedUntil = now + PAUSE_MS + this.#jitter() * PAUSE_JITTER_MS;
      return known.pausedUntil - now;
    }
    known.times.push(now);
    return 0;
  }

  /** Forgets objects that are gone. */
  keep(names: ReadonlySet<string>): void {
    for (const name of this.#writes.keys()) if (!names.has(name)) this.#writes.delete(name);
  }
}
