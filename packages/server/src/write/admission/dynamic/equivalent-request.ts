/** A request in the version that a rule has matched in. */

import type { KubeObject } from '@listwatch/rules/internal';
import type { DynamicRequest } from '../../../contract/dynamic-admission.ts';
import type { ResourceDefinition } from '../../../kinds/resource-definition.ts';
import { convertObject } from './object-conversion.ts';

/** The kind of the objects in the version of `matched`. Scale, Eviction and options are the same in all versions. */
export function matchedKind({ kind, definition }: DynamicRequest, matched: ResourceDefinition): ResourceDefinition {
  return kind === definition ? matched : kind;
}

/** The objects of the request in the version of `matched`. */
export async function objectsIn(
  request: DynamicRequest,
  matched: ResourceDefinition,
): Promise<Pick<DynamicRequest, 'object' | 'old'>> {
  const { kind, object, old } = request;
  const to = matchedKind(request, matched);
  if (to === kind) return { object, old };
  return {
    object: object && (await convertObject(kind, to, object)),
    old: old && (await convertObject(kind, to, old)),
  };
}

/** A changed object of that version in the version of the request. */
export async function fromMatched(
  request: DynamicRequest,
  matched: ResourceDefinition,
  object: KubeObject,
): Promise<KubeObject> {
  return convertObject(matchedKind(request, matched), request.kind, object);
}
