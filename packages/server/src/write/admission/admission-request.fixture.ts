/** A write for tests of plugins. */

import type { AdmissionRequest, KindDefinition, KubeObject } from '@listwatch/rules/internal';

/** The creation of an object. */
export function admissionRequest({ resource, data }: KindDefinition, object: KubeObject): AdmissionRequest {
  return {
    operation: 'CREATE',
    resource,
    type: data.type,
    subresource: '',
    requestedName: '',
    object,
    old: undefined,
    user: { name: 'a', groups: [] },
    dryRun: false,
    warn: () => undefined,
    throwIfAborted: () => undefined,
  };
}
