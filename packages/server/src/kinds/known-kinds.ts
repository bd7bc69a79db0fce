/** The kinds that this release knows, as a server of another store reads them. */

import { BUILT_IN_KINDS } from '@listwatch/rules/internal';
import type { ReadKind } from './read-kind.ts';

/** A kind, and how its schema is loaded. */
export interface KnownKind extends ReadKind {
  /** Undefined: it is loaded. */
  readonly load: () => Promise<void> | undefined;
  /** The warning that Kubernetes answers with; undefined: the kind is not deprecated. */
  readonly deprecation?: string | undefined;
}

/** All built-in kinds, in every version that is served. */
export const KNOWN_KINDS: readonly KnownKind[] = BUILT_IN_KINDS;
