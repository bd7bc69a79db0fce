/** What kube-apiserver 1.36 makes of the values. Recorded; the real tests compare it. */

import { readFileSync } from 'node:fs';

/** An answer: `spec` of the created object and its unknown fields, or the errors. */
export interface ObjectAnswer {
  readonly object?: unknown;
  readonly unknown?: readonly string[];
  readonly errors?: readonly string[];
}

/** The answers by the name of the case, one for each value. */
export const OBJECT_ANSWERS: Readonly<Record<string, readonly ObjectAnswer[]>> = JSON.parse(
  readFileSync(new URL('../../../test/data/object-answers.json', import.meta.url), 'utf8'),
);
