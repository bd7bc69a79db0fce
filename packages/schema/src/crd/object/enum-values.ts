/** The values of an `enum`, found without a look at each: there may be a hundred thousand. */

import { quote } from '@listwatch/api';
import { isJsonNumber } from '@listwatch/api/values';
import { isEqualJson } from './equal-json.ts';

/** So many characters of the values are listed in a message. */
const LISTED_MAX = 4096;

/** The values that are allowed. */
export class EnumValues {
  /** `supported values: "A", "B"`; of very many only the first. */
  readonly listed: string;
  readonly #scalars = new Set<unknown>();
  readonly #others: readonly unknown[];

  constructor(values: readonly unknown[], textOf: (value: unknown) => string) {
    for (const value of values) {
      if (isJsonNumber(value)) this.#scalars.add(Number(value));
      else if (typeof value === 'string' || typeof value === 'boolean') this.#scalars.add(value);
    }
    this.#others = values.filter((value) => typeof value === 'object' && value !== null);
    const texts: string[] = [];
    let length = 0;
    for (const value of values) {
      if (length > LISTED_MAX) break;
      const text = quote(typeof value === 'string' ? value : textOf(value));
      length += text.length;
      texts.push(text);
    }
    this.listed = `supported values: ${texts.join(', ')}`;
  }

  /** Is the value one of them? null never is. Go cuts a fraction off when the allowed value is an integer. */
  has(value: unknown): boolean {
    if (isJsonNumber(value)) {
      const number = Number(value);
      return this.#scalars.has(number) || this.#scalars.has(Math.trunc(number));
    }
    if (typeof value !== 'object') return this.#scalars.has(value);
    return value !== null && this.#others.some((other) => isEqualJson(value, other));
  }
}
