/** A test of vitest's JSON report, as far as it is read here. */
export interface ReportedTest {
  readonly meta?: { readonly missingPart?: { readonly name: string; readonly get: string } };
}

/** A part that was missing, how to get it, and how many tests were left out for it. */
export interface MissingPart {
  readonly name: string;
  readonly get: string;
  readonly leftOut: number;
}

export function missingParts(assertions: readonly ReportedTest[]): MissingPart[];

/** `1 test`, `2 tests`. */
export function countTests(number: number): string;
