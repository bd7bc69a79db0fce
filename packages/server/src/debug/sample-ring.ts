/** The last hour of measurements, in a ring of fixed size. */

import type { OverviewLine, OverviewMetric, OverviewSeries } from '@listwatch/api/console';

/** One measured value. */
export interface Measurement {
  readonly metric: OverviewMetric;
  readonly labels?: OverviewLine['labels'];
  /** NaN: not measured. */
  readonly value: number;
}

interface Line extends Pick<Measurement, 'labels' | 'metric'> {
  readonly values: Float64Array;
  /** The number of the sample that had another value than 0. */
  lastUsed: number;
}

/** Clients choose verbs and provoke codes: so many lines are kept, and those that were 0 for an hour go. */
const LINES_MAX = 64;
/** Enough for a plot; the whole hour is sent to each page that opens. */
const DIGITS = 6;

/** Samples are numbered from 0; a number stays the same while the ring moves on. */
export class SampleRing {
  readonly #capacity: number;
  readonly #stepSeconds: number;
  readonly #times: Float64Array;
  readonly #lines = new Map<string, Line>();
  #count = 0;

  constructor(capacity: number, stepSeconds: number) {
    this.#capacity = capacity;
    this.#stepSeconds = stepSeconds;
    this.#times = new Float64Array(capacity);
  }

  /** The number of the next sample. */
  get end(): number {
    return this.#count;
  }

  /** Adds a sample; lines that are not in it have no value there. */
  add(seconds: number, measurements: readonly Measurement[]): void {
    const number = this.#count;
    const slot = number % this.#capacity;
    this.#count += 1;
    this.#times[slot] = seconds;
    for (const line of this.#lines.values()) line.values[slot] = Number.NaN;
    for (const measurement of measurements) {
      const line = this.#line(measurement);
      if (line === undefined) continue;
      line.values[slot] = measurement.value;
      if (measurement.value !== 0) line.lastUsed = number;
    }
    for (const [key, line] of this.#lines) if (number - line.lastUsed >= this.#capacity) this.#lines.delete(key);
  }

  /** The samples from a number on, as far as they are still here. */
  since(first: number): OverviewSeries {
    const start = Math.max(first, this.#count - this.#capacity, 0);
    const slots = Array.from(
      { length: Math.max(0, this.#count - start) },
      (_, index) => (start + index) % this.#capacity,
    );
    return {
      stepSeconds: this.#stepSeconds,
      times: slots.map((slot) => this.#times[slot] ?? 0),
      lines: [...this.#lines.values()].map(({ metric, labels, values }) => ({
        metric,
        ...(labels === undefined ? {} : { labels }),
        values: slots.map((slot) => shown(values[slot])),
      })),
    };
  }

  #line({ metric, labels }: Measurement): Line | undefined {
    const key = labels === undefined ? metric : `${metric} ${labels.verb} ${labels.code}`;
    const known = this.#lines.get(key);
    if (known !== undefined) return known;
    if (this.#lines.size >= LINES_MAX) return undefined;
    const line = {
      metric,
      labels,
      values: new Float64Array(this.#capacity).fill(Number.NaN),
      lastUsed: this.#count - 1,
    };
    this.#lines.set(key, line);
    return line;
  }
}

function shown(value = Number.NaN): number | null {
  return Number.isFinite(value) ? Number(value.toPrecision(DIGITS)) : null;
}
