/** The scale of custom kinds: their definitions say where the replicas are. */

import { fieldInvalid, internalError, invalid } from '@listwatch/api';
import { defined, numberOf, recordOf } from '@listwatch/api/values';
import type { KubeObject } from '@listwatch/rules/internal';
import {
  fieldPath,
  type ManagedFieldPath,
  type ScalePaths,
  scaleReplicas,
  scaleSelector,
  withReplicas,
} from '@listwatch/schema';
import type { ResourceDefinition } from '../../kinds/resource-definition.ts';
import type { ScaleForm } from './kind-scale-form.ts';

/** How objects of a custom kind are scaled. */
export function customScaleForm(definition: ResourceDefinition, paths: ScalePaths): ScaleForm {
  return {
    show: (object) => scaleOf(object, paths),
    // As in kube-apiserver a change starts from 0, though a GET of the same Scale is a 500.
    showBeforeChange: (object) => scaleOf(object, paths, 0),
    change: (scale, object) => withScale(definition, object, scale, paths),
    replicas: replicasPath(paths),
  };
}

/** `.spec.replicas` as the path of a field. */
function replicasPath({ specReplicasPath }: ScalePaths): ManagedFieldPath {
  return fieldPath(...specReplicasPath.split('.').filter((name) => name !== ''));
}

/** The object as a Scale. Throws the 500 when it has no replicas and there is nothing to show instead. */
function scaleOf(object: KubeObject, paths: ScalePaths, missing?: number): KubeObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const wanted = scaleReplicas(object, paths.specReplicasPath);
  if (wanted.problem !== undefined) throw internalError(wanted.problem);
  const replicas = wanted.value ?? missing;
  if (replicas === undefined) {
    throw internalError(`the spec replicas field ${JSON.stringify(paths.specReplicasPath)} does not exist`);
  }
  const actual = scaleReplicas(object, paths.statusReplicasPath);
  const selector = paths.labelSelectorPath === undefined ? undefined : scaleSelector(object, paths.labelSelectorPath);
  return {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: defined({ name, namespace, uid, resourceVersion, creationTimestamp }),
    spec: { replicas },
    status: defined({ replicas: actual.value ?? 0, selector: selector?.value || undefined }),
  };
}

/** The object with the replicas of a Scale, at the version that the Scale names. */
function withScale(
  { resource }: ResourceDefinition,
  object: KubeObject,
  scale: KubeObject,
  paths: ScalePaths,
): KubeObject {
  const replicas = numberOf(recordOf(scale['spec'])['replicas']);
  if (replicas < 0) {
    const error = fieldInvalid(paths.specReplicasPath, replicas, 'should be a non-negative integer');
    throw invalid(resource, object.metadata.name ?? '', [error]);
  }
  const { resourceVersion = '' } = scale.metadata;
  const changed = withReplicas(object, paths.specReplicasPath, replicas);
  return {
    ...changed,
    metadata: { ...object.metadata, resourceVersion: resourceVersion || (object.metadata.resourceVersion ?? '') },
  };
}
