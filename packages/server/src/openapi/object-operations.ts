/** The operations on one object: create, read, replace, patch. */

import { MEDIA_TYPE } from '@listwatch/api';
import type { GroupVersionKind, TypeName } from '@listwatch/schema';
import type { ApiOperation, OperationParameter } from './api-operation.ts';
import { optionParameters } from './option-parameters.ts';
import type { PathScope } from './path-scope.ts';

/** What operations answer with, in the order of version 2. */
export const OBJECT_TYPES: readonly string[] = [MEDIA_TYPE.json, MEDIA_TYPE.yaml, MEDIA_TYPE.protobuf];

const PATCH_TYPES = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
];

/** An object that operations take and give, with the end of their names. */
export interface OperationTarget {
  readonly id: string;
  readonly parameters: readonly OperationParameter[];
  readonly kind: GroupVersionKind;
  readonly type: TypeName;
}

/** Read, replace and patch an object or one of its subresources. */
export function objectOperations(
  { set }: PathScope,
  verbs: readonly string[],
  { id, parameters, kind, type }: OperationTarget,
): readonly ApiOperation[] {
  const common = { kind: kindOf(kind), answer: type, produces: OBJECT_TYPES };
  return allowed(verbs, {
    get: () => ({ ...common, method: 'get', id: `read${id}`, action: 'get', parameters, codes: [200] }),
    update: () => ({
      ...common,
      method: 'put',
      id: `replace${id}`,
      action: 'put',
      parameters: [...parameters, ...optionParameters(set, ['meta/v1.UpdateOptions'])],
      body: { type, required: true, mediaTypes: ['*/*'] },
      codes: [200, 201],
    }),
    patch: () => ({
      ...common,
      method: 'patch',
      id: `patch${id}`,
      action: 'patch',
      parameters: [...parameters, ...optionParameters(set, ['meta/v1.PatchOptions'])],
      body: { type: 'patch', required: true, mediaTypes: PATCH_TYPES },
      codes: [200, 201],
    }),
  });
}

/** A creation, of an object or at a subresource. */
export function createOperation({ set }: PathScope, { id, parameters, kind, type }: OperationTarget): ApiOperation {
  return {
    method: 'post',
    id,
    action: 'post',
    kind: kindOf(kind),
    parameters: [...parameters, ...optionParameters(set, ['meta/v1.CreateOptions'])],
    body: { type, required: true, mediaTypes: ['*/*'] },
    codes: [200, 201, 202],
    answer: type,
    produces: OBJECT_TYPES,
  };
}

/** The operations of the verbs that are allowed. */
export function allowed(
  verbs: readonly string[],
  makers: Readonly<Record<string, () => ApiOperation>>,
): readonly ApiOperation[] {
  return Object.entries(makers)
    .filter(([verb]) => verbs.includes(verb))
    .map(([, make]) => make());
}

/** The coordinates alone. */
export function kindOf({ group, version, kind }: GroupVersionKind): GroupVersionKind {
  return { group, version, kind };
}
