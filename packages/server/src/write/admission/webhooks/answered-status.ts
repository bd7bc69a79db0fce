/** The `status` of a webhook's response: only its fields and their types reach the client, as Go decodes them. Pure. */

import { isRecord, type JsonRecord, listOf } from '@listwatch/api/values';
import { WebhookFailure } from './webhook-failure.ts';

const INT32_MAX = 2_147_483_647;

interface FieldType {
  /** The type in Go. */
  readonly go: string;
  readonly is: (value: unknown) => boolean;
  /** The fields of an object, or of the objects of a list. */
  readonly fields?: Readonly<Record<string, FieldType>>;
  /** The name of the Go struct with these fields. */
  readonly struct?: string;
}

const TEXT: FieldType = { go: 'string', is: isText };
const INT32: FieldType = { go: 'int32', is: isInt32 };

const CAUSE = { reason: { go: 'v1.CauseType', is: isText }, message: TEXT, field: TEXT };
const DETAILS = {
  name: TEXT,
  group: TEXT,
  kind: TEXT,
  uid: { go: 'types.UID', is: isText },
  causes: { go: '[]v1.StatusCause', is: Array.isArray, fields: CAUSE, struct: 'StatusCause' },
  retryAfterSeconds: INT32,
};
const METADATA = {
  selfLink: TEXT,
  resourceVersion: TEXT,
  continue: TEXT,
  remainingItemCount: { go: 'int64', is: Number.isSafeInteger },
};
const STATUS: Readonly<Record<string, FieldType>> = {
  kind: TEXT,
  apiVersion: TEXT,
  metadata: { go: 'v1.ListMeta', is: isRecord, fields: METADATA, struct: 'ListMeta' },
  status: TEXT,
  message: TEXT,
  reason: { go: 'v1.StatusReason', is: isText },
  details: { go: 'v1.StatusDetails', is: isRecord, fields: DETAILS, struct: 'StatusDetails' },
  code: INT32,
};

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isInt32(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value <= INT32_MAX && value >= -INT32_MAX - 1;
}

/** The status without unknown fields. Throws the `WebhookFailure` for wrong types: a client in Go could not read them. */
export function answeredStatus(given: JsonRecord): JsonRecord {
  return typed(given, STATUS, { struct: 'Status', path: 'response.status' });
}

interface Place {
  readonly struct: string;
  readonly path: string;
}

function typed(given: JsonRecord, types: Readonly<Record<string, FieldType>>, { struct, path }: Place): JsonRecord {
  const read: Record<string, unknown> = {};
  for (const [field, type] of Object.entries(types)) {
    const value = Object.hasOwn(given, field) ? given[field] : undefined;
    if (value === undefined || value === null) continue;
    const at = `${path}.${field}`;
    if (!type.is(value)) throw notDecoded(value, `${struct}.${at}`, type.go);
    read[field] = innerOf(value, type, at);
  }
  return read;
}

function innerOf(value: unknown, { fields, struct = '' }: FieldType, path: string): unknown {
  if (fields === undefined) return value;
  if (isRecord(value)) return typed(value, fields, { struct, path });
  return listOf(value).map((item) => {
    if (!isRecord(item)) throw notDecoded(item, path, `v1.${struct}`);
    return typed(item, fields, { struct, path });
  });
}

function notDecoded(value: unknown, field: string, type: string): WebhookFailure {
  return WebhookFailure.notCalled(
    `json: cannot unmarshal ${goWord(value)} into Go struct field ${field} of type ${type}`,
  );
}

/** The word of Go's JSON decoder for a value that does not fit. */
export function goWord(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'bigint') return `number ${value}`;
  return typeof value === 'number' && !isInt32(value) ? `number ${value}` : typeof value;
}
