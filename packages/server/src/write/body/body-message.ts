/** Decodes protobuf bodies within the limits of JSON bodies. */

import { type JsonRecord } from '@listwatch/api/values';
import type { KindSchemas } from '@listwatch/kinds/schemas';
import { BODY_LIMITS, type BodyLimits, newObjectBudget } from '@listwatch/rules/internal';
import { checkedForm, DocumentCheck, decodeMessage, ProtobufProblem, type TypeName } from '@listwatch/schema';
import { decodeJson } from '../../stored/exact-json.ts';
import { scanJson } from '../../stored/json-scan.ts';

/** Schemas with the plans for decoding. */
export type MessageSchemas = Pick<KindSchemas, 'message' | 'plan'>;

/** What a message says. */
export interface BodyMessage {
  /** In canonical form, without kind and apiVersion. */
  readonly fields: JsonRecord;
  /** No field is at fault: a message can have quantities and times that are none. */
  readonly isPlain: boolean;
}

/** The object that a message is. Throws a `ProtobufProblem`, or the 413 for one with more fields than the server decodes at once. */
export function decodeBodyMessage(
  schemas: MessageSchemas,
  type: TypeName,
  bytes: Uint8Array,
  limits: BodyLimits = BODY_LIMITS,
): BodyMessage {
  const read = decodeMessage(schemas.message(type), bytes, { maxFields: limits.parts, parseJson });
  const check = new DocumentCheck();
  const fields = checkedForm(schemas.plan(type), read, newObjectBudget(), check);
  return { fields, isPlain: check.isPlain };
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
