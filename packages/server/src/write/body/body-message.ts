/** Decodes protobuf bodies within the limits of JSON bodies. */

import { canonical, decodeMessage, type JsonRecord, ProtobufProblem, type TypeName } from '@listwatch/schema';
import { decodeJson } from '../../kinds/json/exact-json.ts';
import { MAX_MEMBERS, MAX_PARTS, scanJson } from '../../kinds/json/json-scan.ts';
import { newObjectBudget } from '../../kinds/json/size-budget.ts';
import type { KindSchemas } from '../../kinds/kind-schemas.ts';

/** Schemas with the plans for decoding. */
export type MessageSchemas = Pick<KindSchemas, 'message' | 'plan'>;

/** The object that a message is. Throws a `ProtobufProblem`, or the 413 for one with more fields than the server decodes at once. */
export function decodeBodyMessage(schemas: MessageSchemas, type: TypeName, bytes: Uint8Array): JsonRecord {
  const read = decodeMessage(schemas.message(type), bytes, { maxFields: MAX_PARTS, parseJson });
  return canonical(schemas.plan(type), read, newObjectBudget());
}

function parseJson(bytes: Uint8Array): unknown {
  const { members, parts, tooDeepAt } = scanJson(bytes);
  // `JSON.parse` reads deeper values, but `JSON.stringify` overflows the stack on them.
  if (tooDeepAt >= 0) throw new ProtobufProblem('proto: exceeded max depth');
  if (members > MAX_MEMBERS || parts > MAX_PARTS) throw new ProtobufProblem('proto: too many fields');
  try {
    return decodeJson(bytes);
  } catch {
    throw new ProtobufProblem('proto: the field is not JSON');
  }
}
