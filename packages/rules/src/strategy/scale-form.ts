/** The Scale of an object: its replicas, and the selector of what it counts. */

import { defined, numberOf, recordOf, textRecordOf } from '@listwatch/api/values';
import type { KubeObject } from '../kube-object.ts';
import { readSelector } from '../validation/object-selector.ts';

/** Where a kind keeps what a Scale shows. All built-in kinds with a `scale` keep it in the same places. */
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

/** The object with the replicas of a Scale, at the version that the Scale names. */
export function withScale(object: KubeObject, scale: KubeObject): KubeObject {
  const { resourceVersion = '' } = scale.metadata;
  const replicas = numberOf(recordOf(scale['spec'])['replicas']);
  return {
    ...object,
    metadata: { ...object.metadata, resourceVersion },
    spec: { ...recordOf(object['spec']), replicas },
  };
}
