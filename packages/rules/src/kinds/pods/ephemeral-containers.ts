/** `pods/{name}/ephemeralcontainers`: adds debug containers to a running Pod. They cannot be removed. */

import { type FieldError, fieldForbidden } from '@listwatch/api';
import { type JsonRecord, numberOf, recordOf, recordsOf, sameJson, textOf } from '@listwatch/api/values';
import type { KubeObject } from '../../kube-object.ts';
import type { SubresourceRules } from '../../strategy/kind-rules.ts';
import { itemErrors } from '../../validation/item-errors.ts';
import { validateDebugContainers } from '../containers/debug-container-rules.ts';
import { claimNames } from './pod-claim-rules.ts';

const FIELD = 'spec.ephemeralContainers';

/** Changes the ephemeral containers and nothing else. */
export const ephemeralContainers: SubresourceRules = {
  onUpdate: (object, old) => ({
    ...old,
    spec: { ...recordOf(old['spec']), ephemeralContainers: recordOf(object['spec'])['ephemeralContainers'] },
  }),
  validateUpdate: (object, old) => [...validateAll(object), ...validateKept(object, old)],
  raisesGeneration: true,
};

function containersOf(object: KubeObject): readonly JsonRecord[] {
  return recordsOf(recordOf(object['spec'])['ephemeralContainers']);
}

function isClaimed({ persistentVolumeClaim, ephemeral }: JsonRecord): boolean {
  return persistentVolumeClaim !== undefined || ephemeral !== undefined;
}

function validateAll(object: KubeObject): readonly FieldError[] {
  const spec = recordOf(object['spec']);
  const volumes = recordsOf(spec['volumes']);
  const surroundings = {
    volumes: new Set(volumes.map(({ name }) => textOf(name))),
    claimed: new Set(volumes.filter(isClaimed).map(({ name }) => textOf(name))),
    claims: claimNames(spec),
    hostUsers: spec['hostUsers'] !== false,
    restartPolicy: textOf(spec['restartPolicy']),
    gracePeriod: numberOf(spec['terminationGracePeriodSeconds']),
  };
  return validateDebugContainers(spec, surroundings, FIELD);
}

/** Existing ephemeral containers cannot change or be removed: the kubelet supports neither. */
function validateKept(object: KubeObject, old: KubeObject): readonly FieldError[] {
  const current = new Map(containersOf(object).map((container) => [container['name'], container]));
  return itemErrors(containersOf(old), (container) => {
    const now = current.get(container['name']);
    if (now !== undefined && sameJson(now, container)) return [];
    const what = now === undefined ? 'removed' : 'changed';
    const name = JSON.stringify(container['name']);
    return [fieldForbidden(FIELD, `existing ephemeral containers ${name} may not be ${what}\n`)];
  });
}
