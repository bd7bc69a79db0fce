/** The objects of the model server. */

import { type ApiObject, type Resource, resource } from '@listwatch/api';

export interface Thing extends ApiObject {
  readonly spec?: { readonly size: number; readonly node?: string };
}

/** The resource of most tests. */
export const things: Resource<Thing> = resource<Thing>({
  group: 'example.org',
  version: 'v1',
  plural: 'things',
  kind: 'Thing',
  namespaced: true,
});

/** A thing as a server would send it. */
export function thing(key: string, version: number | string, size = 0, uid = `uid-${key}`): Thing {
  const [namespace, name = ''] = key.split('/');
  return {
    apiVersion: 'example.org/v1',
    kind: 'Thing',
    metadata: { ...(namespace === undefined ? {} : { namespace }), name, uid, resourceVersion: String(version) },
    spec: { size },
  };
}
