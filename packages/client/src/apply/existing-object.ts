/** An object that may not be there. */

import { type ApiObject, isNotFound, type Resource } from '@listwatch/api';
import type { Cluster, GetOptions, ObjectTarget } from '../cluster.ts';

/** The object; undefined when there is none. */
export async function existingObject<T extends ApiObject>(
  cluster: Pick<Cluster, 'get'>,
  resource: Resource<T>,
  target: ObjectTarget,
  options: GetOptions,
): Promise<T | undefined> {
  try {
    return await cluster.get(resource, target, options);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
