/** POST on `pods/{name}/eviction`: deletes a Pod if its PodDisruptionBudget allows it. */

import {
  badRequest,
  conflict,
  failure,
  forbidden,
  isConflict,
  isNotFound,
  tooManyRequests,
  unknownError,
} from '@listwatch/api';
import { isRecord } from '@listwatch/api/values';
import {
  builtInKind,
  coversPod,
  type EvictionVerdict,
  judgeEviction,
  type KubeObject,
  needsNoBudget,
  virtualKind,
  wholeSeconds,
} from '@listwatch/rules/internal';
import { reportingStorage } from '../../answer/storage-failure.ts';
import type { ApiResponse } from '../../contract/api-response.ts';
import type { ResourceCall, VerbContext } from '../../contract/verb.ts';
import type { VirtualEndpoint } from '../../contract/virtual-endpoint.ts';
import { endWithRequest } from '../../stored/request-signal.ts';
import { keyPrefix } from '../../stored/requested-key.ts';
import { storedObject } from '../../stored/stored-object.ts';
import { admitVirtual } from '../admission/dynamic/admit-virtual.ts';
import { type DeletionOptions, deleteOptionsOf } from '../deletion/delete-options.ts';
import { deleteObject } from '../deletion/object-deletion.ts';
import { SERVER_MANAGER, updateOwners } from '../owners/field-owners.ts';
import { changeObject } from '../pipeline.ts';
import { readStored } from '../reviews/stored-read.ts';
import { readVirtualRequest } from '../reviews/virtual-request.ts';
import { successAnswer } from './success-answer.ts';

const WRITE_OPTIONS = { fieldValidation: 'Ignore', fieldManager: '', force: false } as const;
const VIOLATED = "Cannot evict pod as it would violate the pod's disruption budget.";

/** The endpoint. */
export const evictionEndpoint: VirtualEndpoint = {
  definition: builtInKind('core/v1.Pod'),
  hasTable: false,
  answer: (context, call) => reportingStorage(() => evict(context, call)),
};

async function evict(context: VerbContext, call: ResourceCall): Promise<ApiResponse> {
  const { path, definition, request } = call;
  const kind = virtualKind('policy/v1.Eviction');
  const { object: sent, options: asked } = await readVirtualRequest(context, call, kind);
  await context.admission.requirePlace(call, sent, true);
  const object = await admitVirtual(context, call, kind, { object: sent, options: asked });
  if (object.metadata.name !== path.name) throw badRequest('name in URL does not match name in Eviction object');
  const given = deleteOptionsOf(isRecord(object['deleteOptions']) ? object['deleteOptions'] : {});
  const options = { ...given, dryRun: given.dryRun || asked.dryRun };
  const remove = (more: Partial<DeletionOptions> = {}): Promise<unknown> =>
    deleteObject(context, { ...call, path: { ...path, subresource: '' } }, { ...options, ...more }, 'none');
  for (;;) {
    request.throwIfAborted();
    const pod = await readStored(context, request, definition, path);
    requireUid(options, pod);
    // Delete only the Pod that was checked, not a new Pod of the same name.
    const { uid, resourceVersion } = pod.metadata;
    if (await requireBudget(context, call, pod, options.dryRun)) {
      await remove({ uid });
      break;
    }
    // No budget counts a Pod that does not run: delete it only if it has not changed, since it may run by now.
    if (
      await unlessConflict(options, () => remove({ uid, resourceVersion: options.resourceVersion ?? resourceVersion }))
    )
      break;
  }
  return successAnswer(call);
}

/** Does the work; false on a conflict, unless the client has sent a resourceVersion. */
async function unlessConflict({ resourceVersion }: DeletionOptions, work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (isConflict(error) && resourceVersion === undefined) return false;
    throw error;
  }
}

function requireUid({ uid }: DeletionOptions, { metadata }: KubeObject): void {
  if (uid === undefined || uid === metadata.uid) return;
  const why = `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid ?? ''}). The object might have been deleted and then recreated`;
  throw conflict({ group: '', plural: 'Pod' }, metadata.name ?? '', why);
}

/**
 * Charges the eviction to the budget of the Pod; false when no budget counts the Pod. Throws the 429 if it is used up.
 */
async function requireBudget(
  context: VerbContext,
  call: ResourceCall,
  pod: KubeObject,
  dryRun: boolean,
): Promise<boolean> {
  if (needsNoBudget(pod)) return false;
  const [budget, second] = await budgetsOf(context, call, pod);
  if (budget === undefined) return true;
  if (second !== undefined) {
    throw unknownError(
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    );
  }
  const definition = builtInKind('policy/v1.PodDisruptionBudget');
  const { name = '' } = budget.metadata;
  const path = { ...call.path, group: 'policy', resource: definition.resource.plural, name, subresource: 'status' };
  const now = wholeSeconds(context.store.clock.now());
  let isCounted = true;
  // Of two concurrent evictions the later commit fails: check the budget again in its new state.
  const next = (current: KubeObject | undefined): KubeObject => {
    const verdict = judgeEviction(current ?? budget, pod, now);
    isCounted = verdict.type === 'counted';
    return changedBudget(verdict, current ?? budget);
  };
  try {
    const owners = updateOwners(context.kinds.ownershipOf(definition, path.subresource), SERVER_MANAGER);
    await changeObject(
      context,
      { ...call, definition, path },
      { next, owners, options: { ...WRITE_OPTIONS, dryRun }, isOwn: true },
    );
  } catch (error) {
    // The budget was deleted: the eviction is allowed.
    if (!isNotFound(error)) throw error;
  }
  return isCounted;
}

function changedBudget(verdict: EvictionVerdict, budget: KubeObject): KubeObject {
  switch (verdict.type) {
    case 'counted':
      return verdict.budget;
    case 'free':
      return budget;
    case 'forbidden':
      throw forbidden({ group: 'policy', plural: 'poddisruptionbudget' }, budget.metadata.name ?? '', verdict.why);
    case 'wait':
      throw violation(verdict.cause, verdict.retryAfterSeconds);
  }
}

function violation(message: string, retryAfterSeconds: number): Error {
  const { status } = tooManyRequests(VIOLATED, retryAfterSeconds);
  const causes = [{ reason: 'DisruptionBudget', message }];
  return failure({ code: 429, reason: 'TooManyRequests', message: VIOLATED, details: { ...status.details, causes } });
}

/** The budgets of a Pod, read from the storage: a cache may not know one that was just made. */
async function budgetsOf(
  { store: { engine } }: VerbContext,
  call: ResourceCall,
  pod: KubeObject,
): Promise<readonly KubeObject[]> {
  const definition = builtInKind('policy/v1.PodDisruptionBudget');
  await definition.load();
  const prefix = keyPrefix(definition, call.path.namespace);
  const { entries } = await engine.range(prefix, endWithRequest(engine, call.request));
  return entries.map((entry) => storedObject(definition, entry)).filter((budget) => coversPod(budget, pod));
}
