/** Copies any value as JSON. The value is untrusted: it may be huge, contain itself or throw. */

import type { BodyLimits } from '../strategy/body-limits.ts';

/** The maximum depth that the server decodes. */
const DEPTH_MAX = 1000;
/** The maximum length of a request body, counting each character as one byte. */
const CHARACTERS_MAX = 3 * 1024 * 1024;

/** Thrown for a value that exceeds the limits of a body. */
export class NotJson extends Error {
  override readonly name = 'NotJson';
}

/**
 * The copy: the result of `JSON.stringify`, but with bigints for long integers. Throws a `NotJson` above the limits of
 * a body, and rethrows errors of the value's getters.
 */
export function plainJson(value: unknown, limits: BodyLimits): unknown {
  return new Copy(limits).of(value, 0);
}

class Copy {
  #members: number;
  #parts: number;
  #characters = CHARACTERS_MAX;

  constructor({ members, parts }: BodyLimits) {
    this.#members = members;
    this.#parts = parts;
  }

  of(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return this.#text(value);
    if (typeof value === 'number') return Number.isFinite(value) ? value : null;
    if (typeof value !== 'object' || value === null) return isPlain(value) ? value : undefined;
    // The depth limit also stops at an object that contains itself.
    if (depth === DEPTH_MAX) throw new NotJson('exceeded max depth');
    if ((this.#parts -= 1) < 0) throw new NotJson('too many values');
    if ('toJSON' in value && typeof value.toJSON === 'function') return this.of(value.toJSON(), depth + 1);
    return Array.isArray(value) ? this.#list(value, depth + 1) : this.#record(value, depth + 1);
  }

  #list(list: readonly unknown[], depth: number): readonly unknown[] {
    if ((this.#parts -= list.length) < 0) throw new NotJson('too many values');
    return Array.from(list, (item) => this.of(item, depth) ?? null);
  }

  #record(record: object, depth: number): Readonly<Record<string, unknown>> {
    const entries: [string, unknown][] = [];
    for (const [key, member] of Object.entries(record)) {
      if ((this.#members -= 1) < 0) throw new NotJson('too many fields');
      const copy = this.of(member, depth);
      if (copy !== undefined) entries.push([this.#text(key), copy]);
    }
    return Object.fromEntries(entries);
  }

  #text(text: string): string {
    if ((this.#characters -= text.length) < 0) throw new NotJson('too many characters');
    // UTF-8 cannot encode lone surrogates: the encoder replaces them, as in a request to a server.
    return /\p{Surrogate}/u.test(text) ? new TextDecoder().decode(new TextEncoder().encode(text)) : text;
  }
}

function isPlain(value: unknown): boolean {
  return value === null || typeof value === 'boolean' || typeof value === 'bigint';
}
