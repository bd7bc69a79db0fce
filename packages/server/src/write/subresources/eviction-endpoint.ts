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
  answeredKind,
  builtInKind,
  coversPod,
  type EvictionVerdict,
  judgeEviction,
  type KubeObject,
  needsNoBudget,
  wholeSeconds,
} from '@listwatch/rules/internal';
import { reportingStorage } from '../../answer/storage-failure.ts';
import type { AnsweredEndpoint } from '../../contract/answered-endpoint.ts';
import type { ApiResponse } from '../../contract/api-response.ts';
import type { ResourceCall, VerbContext } from '../../contract/verb.ts';
import { endWithRequest } from '../../stored/request-signal.ts';
import { keyPrefix } from '../../stored/requested-key.ts';
import { storedObject } from '../../stored/stored-object.ts';
import { type DeleteOptions, deleteOptionsOf } from '../deletion/delete-options.ts';
import { deleteObject } from '../deletion/object-deletion.ts';
import { SERVER_MANAGER, updateOwners } from '../owners/field-owners.ts';
import { ownershipOf } from '../owners/kind-ownership.ts';
import { changeObject } from '../pipeline.ts';
import { readAnsweredBody } from '../reviews/answered-body.ts';
import { readStored } from '../reviews/stored-read.ts';
import { successAnswer } from './success-answer.ts';

const WRITE_OPTIONS = { fieldValidation: 'Ignore', fieldManager: '', force: false } as const;
const VIOLATED = "Cannot evict pod as it would violate the pod's disruption budget.";

/** The endpoint. */
export const evictionEndpoint: AnsweredEndpoint = {
  definition: builtInKind('core/v1.Pod'),
  hasTable: false,
  answer: (context, call) =>
    reportingStorage({ resource: call.definition.resource, operation: 'delete' }, () => evict(context, call)),
};

async function evict(context: VerbContext, call: ResourceCall): Promise<ApiResponse> {
  const { path, definition, request } = call;
  const kind = answeredKind('policy/v1.Eviction');
  const { object, warnings, options: asked } = await readAnsweredBody(context, call, kind);
  if (object.metadata.name !== path.name) throw badRequest('name in URL does not match name in Eviction object');
  const given = deleteOptionsOf(isRecord(object['deleteOptions']) ? object['deleteOptions'] : {});
  const options = { ...given, dryRun: given.dryRun || asked.dryRun };
  const remove = (more: Partial<DeleteOptions> = {}): Promise<unknown> =>
    deleteObject(context, { ...call, path: { ...path, subresource: '' } }, { ...options, ...more });
  for (;;) {
    request.throwIfAborted();
    const pod = await readStored(context, request, definition, path);
    requireUid(options, pod);
    // The Pod that was judged, and not another one that got its name meanwhile.
    const { uid, resourceVersion } = pod.metadata;
    if (await requireBudget(context, call, pod, options.dryRun)) {
      await remove({ uid });
      break;
    }
    // A Pod that no budget counts, because it does not run, must not be deleted once it does.
    if (
      await unlessConflict(options, () => remove({ uid, resourceVersion: options.resourceVersion ?? resourceVersion }))
    )
      break;
  }
  return successAnswer(call, warnings);
}

/** Does the work; false when the Pod has changed and the client does not insist on a version. */
async function unlessConflict({ resourceVersion }: DeleteOptions, work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (isConflict(error) && resourceVersion === undefined) return false;
    throw error;
  }
}

function requireUid({ uid }: DeleteOptions, { metadata }: KubeObject): void {
  if (uid === undefined || uid === metadata.uid) return;
  const why = `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid ?? ''}). The object might have been deleted and then recreated`;
  throw conflict({ group: '', plural: 'Pod' }, metadata.name ?? '', why);
}

/** Takes the eviction from the budget of the Pod; false when none counts it. Throws the 429 when nothing is left. */
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
  // Two evictions at once: the later commit is refused, and the budget is judged again as the first one left it.
  const next = (current: KubeObject | undefined): KubeObject => {
    const verdict = judgeEviction(current ?? budget, pod, now);
    isCounted = verdict.type === 'counted';
    return changedBudget(verdict, current ?? budget);
  };
  try {
    const owners = updateOwners(ownershipOf(context, definition, path.subresource), SERVER_MANAGER);
    await changeObject(context, { ...call, definition, path }, { next, owners, options: { ...WRITE_OPTIONS, dryRun } });
  } catch (error) {
    // Without a budget nothing stands in the way any more.
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
