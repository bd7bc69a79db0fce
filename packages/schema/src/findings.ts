/** What validation finds. */

import type { FieldError } from '@listwatch/api';

/** The errors and warnings about an object. */
export interface Findings {
  /** In the order of kube-apiserver. */
  readonly errors: readonly FieldError[];
  /** For the `Warning` header. A client sees them with the errors, too. */
  readonly warnings: readonly string[];
}

/** The findings about an object that is all right. */
export const NO_FINDINGS: Findings = Object.freeze({ errors: Object.freeze([]), warnings: Object.freeze([]) });
