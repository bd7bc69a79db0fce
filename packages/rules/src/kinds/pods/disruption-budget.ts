/** Decides whether a PodDisruptionBudget allows the eviction of a Pod. Pure. */

import { isRecord, type JsonRecord, numberOf, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import type { KubeObject } from '../../kube-object.ts';
import { readSelector } from '../../validation/object-selector.ts';

/** The maximum of evictions that the controller has not confirmed yet. */
const MAX_DISRUPTED_PODS = 2000;
const CONDITION = 'DisruptionAllowed';

/** The verdict of a budget. */
export type EvictionVerdict =
  /** Evict the Pod, after storing this state of the budget. */
  | { readonly type: 'counted'; readonly budget: KubeObject }
  /** Evict; the Pod is not healthy, and the budget does not count it. */
  | { readonly type: 'free' }
  /** 429, with the cause and the seconds until a retry (0: not specified). */
  | { readonly type: 'wait'; readonly cause: string; readonly retryAfterSeconds: number }
  /** 403. */
  | { readonly type: 'forbidden'; readonly why: string };

/** Does the budget select the Pod? No selector selects no Pods; an empty selector selects every Pod with labels. */
export function coversPod(budget: KubeObject, pod: KubeObject): boolean {
  const { labels } = pod.metadata;
  const selector = recordOf(budget['spec'])['selector'];
  if (!isRecord(selector) || labels === undefined || Object.keys(labels).length === 0) return false;
  return readSelector(selector)?.matches(labels) === true;
}

/** Pods that have ended, or do not run yet, can be evicted without a budget. */
export function needsNoBudget(pod: KubeObject): boolean {
  const phase = textOf(recordOf(pod['status'])['phase']);
  return ['Succeeded', 'Failed', 'Pending'].includes(phase) || pod.metadata.deletionTimestamp !== undefined;
}

/** Decides on an eviction. `now` is an RFC 3339 timestamp. */
export function judgeEviction(budget: KubeObject, pod: KubeObject, now: string): EvictionVerdict {
  const status = recordOf(budget['status']);
  const allowed = numberOf(status['disruptionsAllowed']);
  const { name = '', generation = 0 } = budget.metadata;
  if (isFree(budget, pod)) return { type: 'free' };
  if (numberOf(status['observedGeneration']) < generation) {
    const cause = `The disruption budget ${name} is still being processed by the server.`;
    return { type: 'wait', cause, retryAfterSeconds: 10 };
  }
  if (allowed < 0) return { type: 'forbidden', why: 'pdb disruptions allowed is negative' };
  const disrupted = recordOf(status['disruptedPods']);
  if (Object.keys(disrupted).length > MAX_DISRUPTED_PODS) {
    const why = 'DisruptedPods map too big - too many evictions not confirmed by PDB controller';
    return { type: 'forbidden', why };
  }
  if (allowed === 0) return { type: 'wait', cause: shortage(name, status), retryAfterSeconds: 0 };
  const rest = allowed - 1;
  const conditions = rest === 0 ? withoutDisruptions(status, generation, now) : status['conditions'];
  const disruptedPods = { ...disrupted, [pod.metadata.name ?? '']: now };
  return {
    type: 'counted',
    budget: { ...budget, status: { ...status, disruptionsAllowed: rest, disruptedPods, conditions } },
  };
}

/** Does the budget let a Pod go that is not ready? */
function isFree(budget: KubeObject, pod: KubeObject): boolean {
  if (
    recordsOf(recordOf(pod['status'])['conditions']).some(({ type, status }) => type === 'Ready' && status === 'True')
  ) {
    return false;
  }
  if (recordOf(budget['spec'])['unhealthyPodEvictionPolicy'] === 'AlwaysAllow') return true;
  const { currentHealthy, desiredHealthy } = recordOf(budget['status']);
  return numberOf(desiredHealthy) > 0 && numberOf(currentHealthy) >= numberOf(desiredHealthy);
}

function shortage(name: string, status: JsonRecord): string {
  const condition = recordsOf(status['conditions']).find(({ type }) => type === CONDITION);
  if (condition?.['reason'] === 'SyncFailed') {
    const why = textOf(condition['message']);
    return `The disruption budget ${name} does not allow evicting pods currently because it failed sync: ${why}`;
  }
  const [desired, current] = [numberOf(status['desiredHealthy']), numberOf(status['currentHealthy'])];
  return `The disruption budget ${name} needs ${desired} healthy pods and has ${current} currently`;
}

function withoutDisruptions(status: JsonRecord, observedGeneration: number, now: string): readonly unknown[] {
  const all = recordsOf(status['conditions']);
  const old = all.find(({ type }) => type === CONDITION);
  const lastTransitionTime = old?.['status'] === 'False' ? old['lastTransitionTime'] : now;
  const facts = { observedGeneration, lastTransitionTime, reason: 'InsufficientPods', message: '' };
  const condition = { type: CONDITION, status: 'False', ...facts };
  return old === undefined ? [...all, condition] : all.map((one) => (one === old ? condition : one));
}
