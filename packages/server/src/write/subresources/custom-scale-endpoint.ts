/** GET, PUT and PATCH on `{name}/scale` of a custom kind: its definition says where the replicas are. */

import { apiVersionOf, fieldInvalid, genericFailure, internalError, invalid, notFound } from '@listwatch/api';
import {
  type FieldPath,
  fieldPath,
  type ReplicasPaths,
  type ScalePaths,
  scaledManagedFields,
  scaleManagedFields,
  scaleReplicas,
  scaleSelector,
  withReplicas,
} from '@listwatch/schema';
import { reportingStorage } from '../../answer/storage-failure.ts';
import { parseObject } from '../../cache/cached-object.ts';
import type { ApiResponse } from '../../contract/api-response.ts';
import type { ResourceCall, VerbContext } from '../../contract/verb.ts';
import { answeredKind } from '../../kinds/answered-kinds.ts';
import { defined, numberOf, recordOf } from '../../kinds/json/json-value.ts';
import type { KubeObject, ResourceDefinition } from '../../kinds/resource-definition.ts';
import { readAnsweredBody } from '../answered/answered-body.ts';
import { computedAnswer } from '../answered/computed-answer.ts';
import { readStored } from '../answered/stored-read.ts';
import { managedFieldsOf } from '../managers/field-owners.ts';
import { type PatchView, viewOwners } from '../managers/patch-view.ts';
import { requireRequestName } from '../object-identity.ts';
import { updateObject } from '../object-update.ts';
import { patchObject } from '../patch.ts';
import { warningHeader } from '../warning-header.ts';

/** Answers a request for the Scale of a custom object. */
export function answerCustomScale(context: VerbContext, call: ResourceCall, paths: ScalePaths): Promise<ApiResponse> {
  const operation = call.request.route.verb === 'get' ? 'get' : 'update';
  return reportingStorage({ resource: call.definition.resource, operation }, async () => {
    const kind = answeredKind('autoscaling/v1.Scale');
    await kind.load();
    const { object, warnings } = await scaled(context, call, kind, paths);
    const options = { headers: warningHeader(warnings), now: context.clock.now() };
    return computedAnswer(call, kind, scaleOf(object, paths), options);
  });
}

interface Scaled {
  readonly object: KubeObject;
  readonly warnings: readonly string[];
}

async function scaled(
  context: VerbContext,
  call: ResourceCall,
  kind: ResourceDefinition,
  paths: ScalePaths,
): Promise<Scaled> {
  const { definition, path, request } = call;
  const whole = { ...call, path: { ...path, subresource: '' } };
  const changed = (scale: KubeObject, object: KubeObject): KubeObject => withScale(definition, object, scale, paths);
  const replicas: ReplicasPaths = new Map([[apiVersionOf(definition.resource), replicasPath(paths)]]);
  const view: PatchView = {
    definition: kind,
    subresource: 'scale',
    show: (object) => scaleOf(object, paths),
    change: changed,
    ownersOfForm: (object) => scaleManagedFields(managedFieldsOf(object), replicas),
    ownersOfObject: (scale, object) =>
      scaledManagedFields({
        managedFields: managedFieldsOf(object),
        scale,
        apiVersion: apiVersionOf(definition.resource),
        paths: replicas,
      }),
  };
  switch (request.route.verb) {
    case 'get':
      return { object: await readStored(context, request, definition, path), warnings: [] };
    case 'update': {
      const body = await readAnsweredBody(context, call, kind, 'UpdateOptions');
      const { object: scale, warnings, dryRun, fieldManager } = body;
      requireRequestName(call, scale);
      const next = (old: KubeObject | undefined): KubeObject => {
        if (old === undefined) throw notFound(definition.resource, path.name);
        return changed(scale, old);
      };
      const owners = viewOwners(context, call, view, fieldManager);
      const { served } = await updateObject(context, whole, { next, owners, uid: scale.metadata.uid, dryRun });
      return { object: parseObject(served), warnings };
    }
    case 'patch': {
      const { served } = await patchObject(context, whole, view);
      return { object: parseObject(served), warnings: [] };
    }
    default:
      throw genericFailure(405);
  }
}

/** `.spec.replicas` as the path of a field. */
function replicasPath({ specReplicasPath }: ScalePaths): FieldPath {
  return fieldPath(...specReplicasPath.split('.').filter((name) => name !== ''));
}

/** The object as a Scale. Throws the 500 when it has no replicas. */
function scaleOf(object: KubeObject, paths: ScalePaths): KubeObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const wanted = scaleReplicas(object, paths.specReplicasPath);
  if (wanted.problem !== undefined) throw internalError(wanted.problem);
  if (wanted.value === undefined) {
    throw internalError(`the spec replicas field ${JSON.stringify(paths.specReplicasPath)} does not exist`);
  }
  const actual = scaleReplicas(object, paths.statusReplicasPath);
  const selector = paths.labelSelectorPath === undefined ? undefined : scaleSelector(object, paths.labelSelectorPath);
  return {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: defined({ name, namespace, uid, resourceVersion, creationTimestamp }),
    spec: { replicas: wanted.value },
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
