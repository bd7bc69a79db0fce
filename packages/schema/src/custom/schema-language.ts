/** `openAPIV3Schema` in the schema language, and back. */

import type { JsonRecord } from '../decode/json-record.ts';
import type { SchemaNode } from '../schema.ts';

/** The structural schema of a whole custom object as a node of the schema language. */
export function schemaLanguage(_source: JsonRecord): SchemaNode {
  throw new Error('not yet');
}
