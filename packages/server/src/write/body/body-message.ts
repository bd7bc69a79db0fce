/** Decodes protobuf bodies within the limits of JSON bodies. */

import { type JsonRecord } from '@listwatch/api/values';
import type { KindSchemas } from '@listwatch/kinds/schemas';
import { BODY_LIMITS, type BodyLimits, newObjectBudget } from '@listwatch/rules/internal';
import { canonical, decodeMessage, ProtobufProblem, type TypeName } from '@listwatch/schema';
import { decodeJson } from '../../stored/exact-json.ts';
import { scanJson } from '../../stored/json-scan.ts';

/** Schemas with the plans for decoding. */
export type MessageSchemas = Pick<KindSchemas, 'message' | 'plan'>;

/** The object that a message is. Throws a `ProtobufProblem`, or the 413 for one with more fields than the server decodes at once. */
export function decodeBodyMessage(
  schemas: MessageSchemas,
  type: TypeName,
  bytes: Uint8Array,
  limits: BodyLimits = BODY_LIMITS,
): JsonRecord {
  const read = decodeMessage(schemas.message(type), bytes, { maxFields: limits.parts, parseJson });
  return canonical(schemas.plan(type), read, newObjectBudget());
}

function parseJson(bytes: Uint8Array): unknown {
  const { members, parts, tooDeepAt } = scanJson(bytes);
  // `JSON.parse` reads deeper values, but `JSON.stringify` overflows the stack on them.
  if (tooDeepAt >= 0) throw new ProtobufProblem('proto: exceeded max depth');
  if (members > BODY_LIMITS.members || parts > BODY_LIMITS.parts) throw new ProtobufProblem('proto: too many fields');
  try {
    return decodeJson(bytes);
  } catch {
    throw new ProtobufProblem('proto: the field is not JSON');
  }
}
