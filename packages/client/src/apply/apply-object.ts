/** Applies one object: by server-side apply, or by a merge patch where the server does not have that. */

import { type ApiObject, isForbidden, isUnsupportedMediaType, type Resource } from '@listwatch/api';
import type { ApplyOptions, Cluster } from '../cluster.ts';
import type { AppliedObject } from '../object-part.ts';
import { checkOptionNames, type OptionNames } from '../request/option-names.ts';
import type { Transport } from '../transport/transport.ts';
import { covers } from './applied-fields.ts';
import { applyByPatch } from './apply-by-patch.ts';
import { existingObject } from './existing-object.ts';

/** What an apply did. */
export type ApplyOutcome = 'configured' | 'created' | 'unchanged';

/** An applied object as the server has it now. */
export interface ApplyResult<T extends ApiObject = ApiObject> {
  readonly object: T;
  readonly outcome: ApplyOutcome;
}

/** Options of `applyObject`. */
export interface ApplyObjectOptions<T extends ApiObject> extends Omit<ApplyOptions, 'subresource'> {
  /** The whole object as it is known, from a cache for example; it saves a request. Absent: it is read. */
  readonly current?: T | undefined;
}

/** What `applyObject` needs of a cluster. */
export type AppliedCluster = Pick<Cluster, 'apply' | 'create' | 'get' | 'patch' | 'transport'>;

const OPTION_NAMES: OptionNames<ApplyObjectOptions<ApiObject>> = {
  signal: true,
  dryRun: true,
  fieldManager: true,
  fieldValidation: true,
  force: true,
  current: true,
};

/** The API groups that answered 415 to an apply. An aggregated server may have no apply where its host has it. */
const groupsWithoutApply = new WeakMap<Transport, Set<string>>();

/**
 * Makes the object have the fields that `object` has, and removes those that the same manager had applied before. Tries
 * server-side apply first. A server that answers 415 is asked once for each API group; from then on the object is created, or
 * changed by a merge patch of what differs. That way knows no conflicts between managers (the last one wins, as with `force`)
 * and replaces lists as a whole, but for owner references and finalizers.
 */
export async function applyObject<T extends ApiObject>(
  cluster: AppliedCluster,
  resource: Resource<T>,
  object: AppliedObject<T>,
  options: ApplyObjectOptions<T> = {},
): Promise<ApplyResult<T>> {
  checkOptionNames('applyObject', options, OPTION_NAMES);
  const { current, force, ...rest } = options;
  const without = groupsWithoutApply.get(cluster.transport) ?? new Set();
  if (!without.has(resource.group)) {
    try {
      return await applyOnServer(cluster, resource, object, current, { ...rest, force });
    } catch (error) {
      if (!isUnsupportedMediaType(error)) throw error;
      without.add(resource.group);
      groupsWithoutApply.set(cluster.transport, without);
    }
  }
  return applyByPatch(cluster, resource, object, current, rest);
}

async function applyOnServer<T extends ApiObject>(
  cluster: AppliedCluster,
  resource: Resource<T>,
  object: AppliedObject<T>,
  current: T | undefined,
  options: ApplyOptions,
): Promise<ApplyResult<T>> {
  const { dryRun, signal } = options;
  const { name, namespace } = object.metadata;
  let before = current;
  let isHidden = false;
  try {
    // A dry run changes no version, so the objects themselves are compared.
    const projection = dryRun === true ? 'full' : 'metadata';
    before ??= await existingObject(cluster, resource, { name, namespace }, { signal, projection });
  } catch (error) {
    // Whoever may patch but not get can still apply; only the outcome is less exact.
    if (!isForbidden(error)) throw error;
    isHidden = true;
  }
  const after = await cluster.apply(resource, object, options);
  if (before === undefined) return { object: after, outcome: isHidden ? 'configured' : 'created' };
  const isSame = dryRun === true ? isSameContent(before, after) : isSameVersion(before, after);
  return { object: after, outcome: isSame ? 'unchanged' : 'configured' };
}

function isSameVersion(before: ApiObject, after: ApiObject): boolean {
  const { resourceVersion } = after.metadata;
  return resourceVersion !== undefined && before.metadata.resourceVersion === resourceVersion;
}

function isSameContent(before: ApiObject, after: ApiObject): boolean {
  const [a, b] = [withoutManagers(before), withoutManagers(after)];
  return covers(a, b) && covers(b, a);
}

/** Every apply renews the times in `managedFields`. */
function withoutManagers({ metadata, ...rest }: ApiObject): object {
  const { managedFields: _, ...others } = metadata;
  return { ...rest, metadata: others };
}
