/** What a manager has applied, taken from the object. */

import type { JsonRecord } from '../decode/json-record.ts';
import type { ApplyType } from './apply-type.ts';

/** Whose fields are extracted. */
export interface ExtractOptions {
  readonly manager: string;
  /** Default: the main endpoint. */
  readonly subresource?: string;
}

/**
 * The fields of an object that a manager owns by apply, with `apiVersion` and `kind`, ready to be changed and applied again. Undefined
 * when the manager has applied nothing. The object is in the version of the type.
 */
export function extractOwned(object: JsonRecord, type: ApplyType, options: ExtractOptions): JsonRecord | undefined {
  throw new Error(`not built ${String(object)} ${String(type)} ${options.manager}`);
}
