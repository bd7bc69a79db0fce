/** The resource of these tests. */

import { type ApiObject, type Resource, resource } from '@listwatch/api';

export interface ConfigMap extends ApiObject {
  readonly data?: Readonly<Record<string, string>>;
}

export const configMaps: Resource<ConfigMap> = resource<ConfigMap>({
  version: 'v1',
  plural: 'configmaps',
  kind: 'ConfigMap',
  namespaced: true,
});
