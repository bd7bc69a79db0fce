/** What may change in the pod template of a Job: something only while the job is suspended and has no pods. */

import type { KubeObject } from './resource-definition.ts';
import { defined, type JsonRecord, numberOf, recordOf, recordsOf, sameJson, textOf } from './shapes/json-value.ts';

/** Where pods are scheduled, what they ask for and what they are called. */
const SCHEDULING = ['nodeSelector', 'tolerations', 'schedulingGates'] as const;

/** The new template with the old value of all that may change: if it equals the old one then the change is allowed. */
export function templateForChange(template: JsonRecord, old: KubeObject): JsonRecord {
  if (!isIdle(old)) return template;
  const before = recordOf(recordOf(old['spec'])['template']);
  const spec = recordOf(template['spec']);
  const oldSpec = recordOf(before['spec']);
  const metadata = recordOf(template['metadata']);
  const { labels, annotations } = recordOf(before['metadata']);
  return {
    ...template,
    metadata: defined({ ...metadata, labels, annotations }),
    spec: defined({
      ...spec,
      ...Object.fromEntries(SCHEDULING.map((name) => [name, oldSpec[name]])),
      affinity: affinityForChange(spec['affinity'], oldSpec['affinity']),
      containers: withResources(spec['containers'], oldSpec['containers']),
      initContainers: withResources(spec['initContainers'], oldSpec['initContainers']),
    }),
  };
}

/** Suspended, and either never started or known to have stopped. */
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
