/** Applies the patch of a webhook to the object that it was shown. */

import { apiVersionOf, internalError, quote } from '@listwatch/api';
import { isRecord, type JsonRecord, recordOf, sameJson, textOf } from '@listwatch/api/values';
import { BODY_LIMITS, type KubeObject } from '@listwatch/rules/internal';
import type { ResourceDefinition } from '../../../kinds/resource-definition.ts';
import { decodeJson } from '../../../stored/exact-json.ts';
import { MAX_LONG_NUMBERS, scanJson } from '../../../stored/json-scan.ts';
import { decodeCustomPatched } from '../../body/custom-body.ts';
import { applyJsonPatch, JsonPatchError, type JsonPatchOperation } from '../../body/json-patch.ts';
import { WebhookFailure } from './webhook-failure.ts';

/** Operations of one patch, as of a patch that a client sends. */
const MAX_OPERATIONS = 10_000;
/** Each has four members at most. */
const MAX_MEMBERS = 50_000;
const SCHEME = 'k8s.io/kubernetes/pkg/api/legacyscheme/scheme.go:30';

/** The operations of a patch; none: nothing changes. Throws a `WebhookFailure` for an invalid patch. */
export function readWebhookPatch(text: string): readonly JsonPatchOperation[] {
  const bytes = Buffer.from(text);
  const { members, parts, longNumbers, tooDeepAt } = scanJson(bytes);
  if (tooDeepAt >= 0) throw undecodable('exceeded max depth');
  if (members > MAX_MEMBERS || parts > BODY_LIMITS.parts || longNumbers > MAX_LONG_NUMBERS) {
    throw undecodable(`it has more than ${MAX_MEMBERS} members or ${BODY_LIMITS.parts} values`);
  }
  let value: unknown;
  try {
    value = decodeJson(bytes);
  } catch (error) {
    throw undecodable(jsonProblem(text, error));
  }
  if (value === null) return [];
  if (!Array.isArray(value)) {
    throw undecodable(`json: cannot unmarshal ${wordOf(value)} into Go value of type jsonpatch.Patch`);
  }
  if (value.length > MAX_OPERATIONS) {
    throw undecodable(`the allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, got ${value.length}`);
  }
  return value.map((one) => operationOf(recordOf(one)));
}

function undecodable(why: string): WebhookFailure {
  return WebhookFailure.badPatch(`received undecodable patch in webhook response: ${why}`);
}

function operationOf(fields: JsonRecord): JsonPatchOperation {
  const { path, from, value } = fields;
  return {
    op: textOf(fields['op']) || 'unknown',
    path: typeof path === 'string' ? path : undefined,
    from: typeof from === 'string' ? from : undefined,
    value,
  };
}

/** Go's message for the common errors, such as a misspelled literal. Others are a documented difference. */
function jsonProblem(text: string, error: unknown): string {
  const [first = ''] = text.trim();
  const literal = { n: 'null', t: 'true', f: 'false' }[first];
  if (literal !== undefined) {
    const at = Array.from(literal).findIndex((character, index) => text.trim()[index] !== character);
    const found = text.trim()[at];
    if (found !== undefined) {
      return `invalid character '${found}' in literal ${literal} (expecting '${literal[at] ?? ''}')`;
    }
  }
  if (text.trim() === '') return 'unexpected end of JSON input';
  if (!/^[[{"\d-]/u.test(first)) return `invalid character '${first}' looking for beginning of value`;
  return error instanceof Error ? error.message : String(error);
}

/**
 * The object after the patch, with the defaults of its kind and without fields that it does not have; the same one when nothing
 * has changed. Throws the 500, whatever the failure policy.
 */
export function patchedObject(
  kind: ResourceDefinition,
  find: (apiVersion: string, kind: string) => ResourceDefinition | undefined,
  object: KubeObject,
  operations: readonly JsonPatchOperation[],
  now: number,
): KubeObject {
  const value = applied(object, operations);
  const fields = recordOf(value);
  const { resource, custom, strategy } = kind;
  const given = { kind: textOf(fields['kind']), apiVersion: textOf(fields['apiVersion']) };
  if (custom !== undefined) {
    const decoded = decodeCustomPatched(kind, custom.schema, value);
    if (decoded.problem !== undefined) throw internalError(decoded.problem);
    return changedOr(object, decoded.object);
  }
  const isOwn = given.kind === resource.kind && given.apiVersion === apiVersionOf(resource);
  const named = isOwn ? kind : find(given.apiVersion, given.kind);
  if (named === undefined) {
    const what = `no kind ${quote(given.kind)} is registered for version ${quote(given.apiVersion)}`;
    throw internalError(`${what} in scheme ${quote(SCHEME)}`);
  }
  const problem = isRecord(value) ? named.decodeProblem(fields) : 'json: cannot unmarshal array into Go value';
  if (problem !== undefined) throw internalError(problem);
  if (!isOwn) {
    const from = `${named.resource.version}.${given.kind}`;
    throw internalError(`converting (${from}) to (${resource.group || 'core'}.${resource.kind}): unknown conversion`);
  }
  // Options of a connection have no metadata, and get none.
  const hasMetadata = Object.hasOwn(object, 'metadata');
  const typed = hasMetadata ? { ...fields, metadata: recordOf(fields['metadata']) } : fields;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- kind and apiVersion were compared above
  return changedOr(object, strategy.withDefaults(strategy.canonical(typed as unknown as KubeObject), now));
}

function applied(object: KubeObject, operations: readonly JsonPatchOperation[]): unknown {
  try {
    return applyJsonPatch(object, operations);
  } catch (error) {
    if (error instanceof JsonPatchError) throw internalError(error.message);
    throw error;
  }
}

function changedOr(object: KubeObject, next: KubeObject): KubeObject {
  return sameJson(object, next) ? object : next;
}

function wordOf(value: unknown): string {
  return typeof value === 'object' ? 'object' : typeof value === 'boolean' ? 'bool' : typeof value;
}
