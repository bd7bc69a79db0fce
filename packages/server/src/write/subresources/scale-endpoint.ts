/** GET, PUT and PATCH on `{name}/scale`: the replicas of an object, whatever its kind. */

import { apiVersionOf, genericFailure, invalid, notFound } from '@listwatch/api';
import { fieldPath, type ReplicasPaths, scaledManagedFields, scaleManagedFields } from '@listwatch/schema';
import { reportingStorage } from '../../answer/storage-failure.ts';
import { parseObject } from '../../cache/cached-object.ts';
import type { AnsweredEndpoint } from '../../contract/answered-endpoint.ts';
import type { ResourceCall, VerbContext } from '../../contract/verb.ts';
import { answeredKind } from '../../kinds/answered-kinds.ts';
import type { KubeObject, ResourceDefinition } from '../../kinds/resource-definition.ts';
import { type ScalePlaces, scaleOf, withScale } from '../../kinds/scale-form.ts';
import { readAnsweredBody } from '../answered/answered-body.ts';
import { computedAnswer } from '../answered/computed-answer.ts';
import { readStored } from '../answered/stored-read.ts';
import { managedFieldsOf } from '../managers/field-owners.ts';
import { type PatchView, viewOwners } from '../managers/patch-view.ts';
import { requireRequestName } from '../object-identity.ts';
import { updateObject } from '../object-update.ts';
import { patchObject } from '../patch.ts';
import { warningHeader } from '../warning-header.ts';

/** The endpoint of a kind that has the subresource. */
export function scaleEndpoint(definition: ResourceDefinition): AnsweredEndpoint {
  const places = { hasLabelMap: definition.data.type === 'core/v1.ReplicationController' };
  return {
    definition,
    hasTable: true,
    answer: (context, call) =>
      reportingStorage(
        { resource: definition.resource, operation: OPERATION[call.request.route.verb] ?? 'get' },
        async () => {
          const kind = answeredKind('autoscaling/v1.Scale');
          await kind.load();
          const { object, warnings } = await scaled(context, call, kind, places);
          const options = { headers: warningHeader(warnings), now: context.clock.now() };
          return computedAnswer(call, kind, scaleOf(object, places), options);
        },
      ),
  };
}

const OPERATION: Readonly<Record<string, 'get' | 'update'>> = { get: 'get', patch: 'update', update: 'update' };

interface Scaled {
  /** The whole object, after the request. */
  readonly object: KubeObject;
  readonly warnings: readonly string[];
}

async function scaled(
  context: VerbContext,
  call: ResourceCall,
  kind: ResourceDefinition,
  places: ScalePlaces,
): Promise<Scaled> {
  const { definition, path, request } = call;
  // The object is changed as a whole, with the rules of its kind.
  const whole = { ...call, path: { ...path, subresource: '' } };
  const change = (scale: KubeObject, object: KubeObject): KubeObject => {
    const errors = kind.strategy.validate(scale);
    if (errors.length > 0) throw invalid(kind.resource, path.name, errors);
    return withScale(object, scale);
  };
  const paths = replicasPaths(definition);
  const view: PatchView = {
    definition: kind,
    subresource: 'scale',
    show: (object) => scaleOf(object, places),
    change,
    ownersOfForm: (object) => scaleManagedFields(managedFieldsOf(object), paths),
    ownersOfObject: (scale, object) =>
      scaledManagedFields({
        managedFields: managedFieldsOf(object),
        scale,
        apiVersion: apiVersionOf(definition.resource),
        paths,
      }),
  };
  switch (request.route.verb) {
    case 'get':
      return { object: await readStored(context, request, definition, path), warnings: [] };
    case 'update': {
      const {
        object: scale,
        warnings,
        dryRun,
        fieldManager,
      } = await readAnsweredBody(context, call, kind, 'UpdateOptions');
      requireRequestName(call, scale);
      const next = (old: KubeObject | undefined): KubeObject => {
        if (old === undefined) throw notFound(definition.resource, path.name);
        return change(scale, old);
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

/** Where a kind has its replicas. */
function replicasPaths({ resource }: ResourceDefinition): ReplicasPaths {
  return new Map([[apiVersionOf(resource), fieldPath('spec', 'replicas')]]);
}
