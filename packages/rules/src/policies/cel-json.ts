/** Converts the result of a mutation expression to JSON. */

import { utf8Length } from '@listwatch/api';
import {
  CelDouble,
  CelDuration,
  CelList,
  CelMap,
  CelOptional,
  CelTimestamp,
  CelUint,
  type CelValue,
} from '@listwatch/cel';

/** Thrown for a value that has no JSON. */
export class NoJsonValue extends Error {
  override readonly name = 'NoJsonValue';
}

/** Thrown for a value that is too large. Values can share parts, so a small value can expand to a tree of any size. */
export class LargeJsonValue extends Error {
  override readonly name = 'LargeJsonValue';
}

/** The JSON of a value. Throws {@link NoJsonValue}, or {@link LargeJsonValue} above about `bytesMax`. */
export function celJson(value: CelValue, bytesMax: number): unknown {
  return new Conversion(bytesMax).json(value);
}

class Conversion {
  readonly #bytesMax: number;
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  json(value: CelValue): unknown {
    if (value === null || typeof value === 'boolean') return this.#counted(value, 4);
    if (typeof value === 'string') return this.#counted(value, utf8Length(value) + 2);
    if (typeof value === 'number' || typeof value === 'bigint') return this.#counted(value, 8);
    if (value instanceof CelDouble) return this.#counted(value.value, 8);
    if (value instanceof CelUint) return this.#counted(small(value.value), 8);
    if (value instanceof CelList) return this.#list(value);
    if (value instanceof CelMap) return this.#map(value);
    if (value instanceof CelTimestamp) return this.#counted(timeText(value), 30);
    if (value instanceof CelDuration) return this.#counted(durationText(value), 20);
    if (value instanceof Uint8Array) return this.#counted(base64Text(value), Math.ceil(value.length / 3) * 4);
    if (value instanceof CelOptional && value.value !== undefined) return this.json(value.value);
    throw new NoJsonValue('a value of the expression has no JSON');
  }

  #counted<T>(value: T, bytes: number): T {
    this.#bytes += bytes;
    if (this.#bytes > this.#bytesMax) {
      throw new LargeJsonValue(`the value of the expression is larger than ${this.#bytesMax} bytes`);
    }
    return value;
  }

  #list(list: CelList): readonly unknown[] {
    this.#counted(list, 2);
    const items: unknown[] = [];
    for (const item of list) items.push(this.json(item));
    return items;
  }

  #map(map: CelMap): Readonly<Record<string, unknown>> {
    this.#counted(map, 2);
    const entries: [string, unknown][] = [];
    for (const key of map.keys()) {
      if (typeof key !== 'string') throw new NoJsonValue('the key of a map is no string');
      const value = map.find(key);
      if (value !== undefined) entries.push([this.#counted(key, key.length + 4), this.json(value)]);
    }
    // Keys are untrusted: `Object.fromEntries` makes `__proto__` an ordinary member.
    return Object.fromEntries(entries);
  }
}

function small(value: bigint): number | bigint {
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
}

function timeText({ seconds, nanos }: CelTimestamp): string {
  const whole = new Date(seconds * 1000).toISOString().slice(0, 19);
  return nanos === 0 ? `${whole}Z` : `${whole}.${String(nanos).padStart(9, '0').replace(/0+$/, '')}Z`;
}

function durationText({ nanoseconds }: CelDuration): string {
  const sign = nanoseconds < 0n ? '-' : '';
  const absolute = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  const fraction = String(absolute % 1_000_000_000n)
    .padStart(9, '0')
    .replace(/0+$/, '');
  return `${sign}${absolute / 1_000_000_000n}${fraction === '' ? '' : `.${fraction}`}s`;
}

function base64Text(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
