/** The refusals of NodeRestriction, in the words of Kubernetes. */

import { forbidden, notFound, type StatusError } from '@listwatch/api';
import type { DynamicRequest } from '../../../contract/dynamic-admission.ts';

/** The 403. An object without a name is named by its `generateName`. */
export function refusedToNode({ definition, name, object }: DynamicRequest, why: string): StatusError {
  const { name: own = '', generateName = '' } = object?.metadata ?? {};
  return forbidden(definition.resource, name || own || generateName || 'Unknown', why);
}

/** The 404 for an object that the check needs: `kind` is `pod` or `node`, as the caches of Kubernetes name them. */
export function unknownObject({ definition }: DynamicRequest, kind: string, name: string): StatusError {
  return notFound({ ...definition.resource, group: '', plural: kind }, name);
}
