/** The key of an object: how stores, events and handlers name it. */

import type { ApiObject } from '@listwatch/api';

/** `namespace/name`, or `name` for an object of the cluster. */
export function objectKey({ metadata: { namespace, name } }: ApiObject): string {
  return namespace === undefined || namespace === '' ? name : `${namespace}/${name}`;
}
