/** The changes allowed in the pod template of a Job: some fields, while the Job is suspended and has no pods. */

import type { FieldError } from '@listwatch/api';
import { defined, type JsonRecord, numberOf, recordOf, recordsOf, sameJson, textOf } from '@listwatch/api/values';
import type { KubeObject } from '../../kube-object.ts';
import { immutable } from '../../validation/immutable-field.ts';

/** The fields that affect scheduling. */
const SCHEDULING = ['nodeSelector', 'tolerations', 'schedulingGates'] as const;

/** The error about a forbidden change. */
export function validateTemplateChange(template: JsonRecord, old: KubeObject): readonly FieldError[] {
  const before = recordOf(recordOf(old['spec'])['template']);
  if (!isIdle(old)) return immutable('spec.template', template, before);
  return immutable(
    'spec.template.spec',
    withMutable(recordOf(template['spec']), recordOf(before['spec'])),
    before['spec'],
  );
}

/** The new spec with the old values of all mutable fields. */
function withMutable(spec: JsonRecord, old: JsonRecord): JsonRecord {
  return defined({
    ...spec,
    ...Object.fromEntries(SCHEDULING.map((name) => [name, old[name]])),
    affinity: affinityForChange(spec['affinity'], old['affinity']),
    containers: withResources(spec['containers'], old['containers']),
    initContainers: withResources(spec['initContainers'], old['initContainers']),
  });
}

/** Is the Job suspended, without active pods, and either never started or confirmed as suspended? */
function isIdle(old: KubeObject): boolean {
  const status = recordOf(old['status']);
  const stopped = recordsOf(status['conditions']).some(
    (condition) => condition['type'] === 'Suspended' && condition['status'] === 'True',
  );
  const suspended = recordOf(old['spec'])['suspend'] === true;
  return suspended && (status['startTime'] === undefined || stopped) && numberOf(status['active']) === 0;
}

/** Node affinity may change; the affinity to other pods may not. */
function affinityForChange(value: unknown, old: unknown): unknown {
  const { nodeAffinity: _new, ...rest } = recordOf(value);
  const { nodeAffinity, ...oldRest } = recordOf(old);
  return sameJson(rest, oldRest) ? old : defined({ ...rest, nodeAffinity });
}

function withResources(value: unknown, old: unknown): unknown {
  const containers = recordsOf(value);
  const before = recordsOf(old);
  if (value === undefined || containers.length !== before.length) return value;
  return containers.map((container, index) => {
    const { name, resources } = recordOf(before[index]);
    return textOf(name) === textOf(container['name']) ? defined({ ...container, resources }) : container;
  });
}
