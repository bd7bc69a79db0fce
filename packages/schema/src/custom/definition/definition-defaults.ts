/** Defaults of a CustomResourceDefinition, and what a write of one sets. */

import type { JsonRecord } from '../../decode/json-record.ts';

/** The definition with the defaults: singular, listKind, conversion, the port of a webhook's service, storedVersions. */
export function defaultDefinition<T extends JsonRecord>(_definition: T): T {
  throw new Error('not yet');
}

/** `status.storedVersions` of a definition with its storage version at the end, unless it is in it. */
export function withStorageVersion<T extends JsonRecord>(_definition: T): T {
  throw new Error('not yet');
}
