/** The types of `planted-faults.mjs`, which reads sources as trees. */

/** One edit of a source that a test should notice. */
export interface PlantedFault {
  /** Of the first character, counted from 1. */
  readonly line: number;
  readonly start: number;
  readonly end: number;
  /** What stands between `start` and `end` afterwards. */
  readonly replacement: string;
  /** What was done, for people. */
  readonly what: string;
  /** The function that it is in, empty at the top of the module. */
  readonly place: string;
}

/** A function with a body: `offset` is behind its brace. */
export interface SourcePlace {
  readonly place: string;
  readonly offset: number;
}

/** Can this be a source? What cannot is no fault that somebody could make. */
export function isSyntax(source: string): boolean;

/** Every fault that can be planted in a source, and its functions. */
export function plantedFaults(source: string): {
  readonly faults: readonly PlantedFault[];
  readonly places: readonly SourcePlace[];
};
