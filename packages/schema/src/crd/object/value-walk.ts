/** A walk over a value: where it is, and the errors so far. */

import { type FieldError, fieldInvalid, fieldTypeInvalid } from '@listwatch/api';

/** A walk may stop at so many errors: a message lists a hundred. */
const ERRORS_MAX = 101;

/** The most that matches may cost, in characters of a text times instructions of its pattern. */
export interface MatchLimits {
  readonly text: number;
  /** All texts of an object together. */
  readonly object: number;
}

/** On the event loop: 25 ms for a text, two seconds for an object, when every instruction is busy. */
const LOOP_LIMITS: MatchLimits = { text: 250_000, object: 20_000_000 };

/** A walk over a value. */
export class ValueWalk {
  readonly #base: string;
  readonly #steps: (number | string)[] = [];
  #errors: FieldError[] = [];
  #known: Set<string> | undefined;
  readonly #limits: MatchLimits;
  #matches = 0;

  /** `base`: where the value stands in its object: `''`, or `status`. */
  constructor(base: string, limits: MatchLimits = LOOP_LIMITS) {
    this.#base = base;
    this.#limits = limits;
  }

  /** The errors so far; of the branch that is open, if one is. */
  get errors(): readonly FieldError[] {
    return this.#errors;
  }

  /** Enough has been found: the walk may stop. */
  get isFull(): boolean {
    return this.#errors.length >= ERRORS_MAX;
  }

  /** Goes to a member or to an item. */
  enter(step: number | string): void {
    this.#steps.push(step);
  }

  /** Goes to a member that no property declares. At the top its path begins with a dot. */
  enterOther(name: string): void {
    this.#steps.push(this.#steps.length === 0 ? `.${name}` : name);
  }

  leave(): void {
    this.#steps.pop();
  }

  /** Counts the cost of a match. Returns the limit that it exceeds; undefined: match. */
  spendMatch(cost: number): keyof MatchLimits | undefined {
    if (cost > this.#limits.text) return 'text';
    this.#matches += cost;
    return this.#matches > this.#limits.object ? 'object' : undefined;
  }

  /** The path from the value that the walk began at. */
  name(): string {
    let name = '';
    for (const [index, step] of this.#steps.entries()) {
      if (typeof step === 'number') name += `[${step}]`;
      else name += index === 0 ? step : `.${step}`;
    }
    return name;
  }

  /** The whole path, for an error. `last` is a member that is not there. */
  field(last?: string): string {
    const name = last === undefined ? this.name() : `${this.name()}.${last}`;
    const plain = name.startsWith('.') ? name.slice(1) : name;
    if (this.#base === '') return plain === '' ? '<nil>' : plain;
    return plain === '' ? this.#base : `${this.#base}.${plain}`;
  }

  add(error: FieldError): void {
    const key = `${error.type} ${error.field} ${error.detail}`;
    this.#known ??= new Set(this.#errors.map(({ type, field, detail }) => `${type} ${field} ${detail}`));
    if (this.#known.has(key)) return;
    this.#known.add(key);
    this.#errors.push(error);
  }

  /** Adds an error about the value that the walk is at. */
  invalid(value: unknown, detail: string): void {
    this.add(fieldInvalid(this.field(), value, `${this.name()} in body ${detail}`));
  }

  /** The same with a detail that does not begin with the path. */
  addAt(value: unknown, detail: string): void {
    this.add(fieldInvalid(this.field(), value, detail));
  }

  /** Adds an error about its type; false, for the check that failed. */
  typeInvalid(value: unknown, detail: string): false {
    this.add(fieldTypeInvalid(this.field(), value, `${this.name()} in body ${detail}`));
    return false;
  }

  /** Adds an error that names no field. */
  general(detail: string): void {
    this.add(fieldInvalid(this.#base === '' ? '<nil>' : this.#base, '', detail));
  }

  /** Takes errors back: all but the first `count`. */
  keepFirst(count: number): void {
    this.#errors.length = count;
    this.#known = undefined;
  }

  /** Begins a branch with errors of its own. Gives the errors so far, for `close`. */
  open(): FieldError[] {
    const outer = this.#errors;
    this.#errors = [];
    this.#known = undefined;
    return outer;
  }

  /** Ends a branch and gives its errors. */
  close(outer: FieldError[]): readonly FieldError[] {
    const inner = this.#errors;
    this.#errors = outer;
    this.#known = undefined;
    return inner;
  }
}
