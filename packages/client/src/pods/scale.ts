/** Reads and sets the number of replicas of anything that can be scaled. */

import { type ApiObject, type Resource, resource } from '@listwatch/api';
import type { Cluster, GetOptions, ObjectTarget, WriteOptions } from '../cluster.ts';
import { checkOptionNames, type OptionNames } from '../request/option-names.ts';

/** The `scale` subresource (autoscaling/v1), the same for every resource that has one. */
export interface Scale extends ApiObject {
  readonly spec?: { readonly replicas?: number };
  readonly status?: {
    /** How many there are. */
    readonly replicas: number;
    /** Selects their Pods, as a label selector. */
    readonly selector?: string;
  };
}

/** Options of `getScale`. */
export type GetScaleOptions = Pick<GetOptions, 'signal'>;

/** Options of `setScale`. */
export interface SetScaleOptions extends Omit<WriteOptions, 'subresource'> {
  /** The version that the object must have; another one is a conflict. */
  readonly resourceVersion?: string | undefined;
}

const GET_SCALE_NAMES: OptionNames<GetScaleOptions> = { signal: true };

const SET_SCALE_NAMES: OptionNames<SetScaleOptions> = {
  signal: true,
  dryRun: true,
  fieldManager: true,
  fieldValidation: true,
  resourceVersion: true,
};

/** How many replicas are wanted and how many there are. Rejects with 404 when the object or its `scale` does not exist. */
export async function getScale(
  cluster: Pick<Cluster, 'get'>,
  scalable: Resource,
  target: ObjectTarget,
  options: GetScaleOptions = {},
): Promise<Scale> {
  checkOptionNames('getScale', options, GET_SCALE_NAMES);
  return cluster.get(resource<Scale>(scalable), target, { ...options, subresource: 'scale' });
}

/**
 * Sets how many replicas are wanted.
 *
 * @example
 * await setScale(cluster, deployments, { namespace: 'default', name: 'web' }, 3);
 */
export async function setScale(
  cluster: Pick<Cluster, 'patch'>,
  scalable: Resource,
  target: ObjectTarget,
  replicas: number,
  options: SetScaleOptions = {},
): Promise<Scale> {
  checkOptionNames('setScale', options, SET_SCALE_NAMES);
  if (!Number.isInteger(replicas) || replicas < 0) throw new RangeError(`replicas must be a count, not ${replicas}`);
  const { resourceVersion, ...rest } = options;
  const metadata = resourceVersion === undefined ? {} : { metadata: { resourceVersion } };
  const patch = { type: 'merge', body: { ...metadata, spec: { replicas } } } as const;
  return cluster.patch(resource<Scale>(scalable), target, patch, { ...rest, subresource: 'scale' });
}
