/** Objects in requests and answers. */

import { type ApiObject, apiVersionOf, type Resource } from '@listwatch/api';
import type { JsonRecord } from '@listwatch/api/values';
import { isObjectMeta, requireObjectMeta } from '../json/object-metadata.ts';
import { TransportError } from '../transport/transport-error.ts';

/**
 * The object with its `apiVersion` and `kind`, which servers insist on. What goes to a subresource other than `status` is of
 * another kind (a Scale, a Binding), and only its author knows which.
 */
export function objectWithType(resource: Resource, object: object, subresource: string | undefined): object {
  if (subresource !== undefined && subresource !== 'status') return object;
  return { apiVersion: apiVersionOf(resource), kind: resource.kind, ...object };
}

/**
 * Throws `PROTOCOL` when the metadata of an answer is not what its type says. Reviews and Statuses have no name. Without metadata it
 * is empty, as in Go: the type has it, and callers read it without a look.
 */
export function checkedAnswer(answer: JsonRecord): JsonRecord {
  const { metadata } = answer;
  if (metadata === undefined || metadata === null) return { ...answer, metadata: {} };
  try {
    if (!isObjectMeta(metadata)) requireObjectMeta(metadata, { isNamed: false });
  } catch (cause) {
    throw new TransportError('PROTOCOL', `cannot decode the answer: ${String(cause)}`, { cause });
  }
  return answer;
}

/** An object that the server answered with. */
export function answeredObject<T extends ApiObject>(_: Resource<T>, object: JsonRecord): T {
  const answer: unknown = object;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- that it is a T is the server's word
  return answer as T;
}
