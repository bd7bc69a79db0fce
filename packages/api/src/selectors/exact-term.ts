/** A requirement for exactly one value of a key. */

/** Every object that matches the selector has exactly this value, so an index can find the selector by it. */
export interface ExactTerm {
  /** The label key or the field. */
  readonly key: string;
  readonly value: string;
}
