/** How the generated constants are made. */

import type { ApiObject, Resource } from '@listwatch/api';

/** A constant for a kind. Its parts are right by construction, so that nothing is checked when the package is loaded. */
export function defineResource<T extends ApiObject>(
  group: string,
  version: string,
  plural: string,
  kind: string,
  namespaced: boolean,
): Resource<T> {
  return Object.freeze({ group, version, plural, kind, namespaced });
}
