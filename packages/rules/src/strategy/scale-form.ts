/** The Scale of an object: its replicas and the selector of its pods. */

import { defined, numberOf, recordOf, textRecordOf } from '@listwatch/api/values';
import type { KubeObject } from '../kube-object.ts';
import { readSelector } from '../validation/object-selector.ts';

/** How a kind stores the fields of its Scale. All built-in kinds with a `scale` use the same paths. */
export interface ScalePlaces {
  /** Is the selector a map of labels (ReplicationController) and no LabelSelector? */
  readonly hasLabelMap: boolean;
}

/** The object as a Scale. */
export function scaleOf(object: KubeObject, { hasLabelMap }: ScalePlaces): KubeObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const spec = recordOf(object['spec']);
  const given = recordOf(spec['selector']);
  const selector = readSelector(hasLabelMap ? { matchLabels: textRecordOf(given) } : given);
  return {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: defined({ name, namespace, uid, resourceVersion, creationTimestamp }),
    spec: { replicas: numberOf(spec['replicas']) },
    status: { replicas: numberOf(recordOf(object['status'])['replicas']), selector: selector?.toString() ?? '' },
  };
}

/** The object with the replicas and the resourceVersion of a Scale. */
export function withScale(object: KubeObject, scale: KubeObject): KubeObject {
  const { resourceVersion = '' } = scale.metadata;
  const replicas = numberOf(recordOf(scale['spec'])['replicas']);
  return {
    ...object,
    metadata: { ...object.metadata, resourceVersion },
    spec: { ...recordOf(object['spec']), replicas },
  };
}
