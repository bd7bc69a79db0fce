/** GET, PUT and PATCH on `{name}/scale`: the replicas of an object, wherever its kind has them. */

import { apiVersionOf, genericFailure, notFound } from '@listwatch/api';
import { answeredKind, type KubeObject, managedFieldsOf } from '@listwatch/rules/internal';
import { type FieldPath, type ReplicasPaths, scaledManagedFields, scaleManagedFields } from '@listwatch/schema';
import { reportingStorage } from '../../answer/storage-failure.ts';
import { warningHeader } from '../../answer/warning-header.ts';
import { parseObject } from '../../cache/cached-object.ts';
import type { ApiResponse } from '../../contract/api-response.ts';
import type { ResourceCall, VerbContext } from '../../contract/verb.ts';
import type { ResourceDefinition } from '../../kinds/resource-definition.ts';
import { requireRequestName } from '../body/object-identity.ts';
import { type PatchView, viewOwners } from '../owners/patch-view.ts';
import { changeObject, patchObject } from '../pipeline.ts';
import { readAnsweredBody } from '../reviews/answered-body.ts';
import { computedAnswer } from '../reviews/computed-answer.ts';
import { readStored } from '../reviews/stored-read.ts';

/** How a kind is scaled. */
export interface ScaleForm {
  readonly show: (object: KubeObject) => KubeObject;
  /** The Scale that a change starts from, for kinds whose objects may lack replicas. Default: `show`. */
  readonly showBeforeChange?: ((object: KubeObject) => KubeObject) | undefined;
  /** The object with the replicas of a Scale. Throws the refusal of a Scale that is wrong. */
  readonly change: (scale: KubeObject, object: KubeObject, kind: ResourceDefinition) => KubeObject;
  /** Where the replicas are. */
  readonly replicas: FieldPath;
}

/** Answers a request for the Scale of an object. */
export function answerScale(context: VerbContext, call: ResourceCall, form: ScaleForm): Promise<ApiResponse> {
  const operation = call.request.route.verb === 'get' ? 'get' : 'update';
  return reportingStorage({ resource: call.definition.resource, operation }, async () => {
    const kind = answeredKind('autoscaling/v1.Scale');
    await kind.load();
    const { object, warnings } = await scaled(context, call, kind, form);
    const options = { headers: warningHeader(warnings), now: context.store.clock.now() };
    return computedAnswer(call, kind, form.show(object), options);
  });
}

interface Scaled {
  /** The whole object, after the request. */
  readonly object: KubeObject;
  readonly warnings: readonly string[];
}

async function scaled(
  context: VerbContext,
  call: ResourceCall,
  kind: ResourceDefinition,
  form: ScaleForm,
): Promise<Scaled> {
  const { definition, path, request } = call;
  // The object is changed as a whole, with the rules of its kind.
  const whole = { ...call, path: { ...path, subresource: '' } };
  const view = scaleView(definition, kind, form);
  switch (request.route.verb) {
    case 'get':
      return { object: await readStored(context, request, definition, path), warnings: [] };
    case 'update': {
      const body = await readAnsweredBody(context, call, kind, 'UpdateOptions');
      const { object: scale, warnings, options } = body;
      requireRequestName(call, scale);
      const next = (old: KubeObject | undefined): KubeObject => {
        if (old === undefined) throw notFound(definition.resource, path.name);
        return view.change(scale, old);
      };
      const owners = viewOwners(context, call, view, options.fieldManager);
      const { served } = await changeObject(context, whole, {
        next,
        owners,
        uid: scale.metadata.uid,
        creates: false,
        options,
      });
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

function scaleView({ resource }: ResourceDefinition, kind: ResourceDefinition, form: ScaleForm): PatchView {
  const apiVersion = apiVersionOf(resource);
  const paths: ReplicasPaths = new Map([[apiVersion, form.replicas]]);
  return {
    definition: kind,
    subresource: 'scale',
    show: form.showBeforeChange ?? form.show,
    change: (scale, object) => form.change(scale, object, kind),
    ownersOfForm: (object) => scaleManagedFields(managedFieldsOf(object), paths),
    ownersOfObject: (scale, object) =>
      scaledManagedFields({ managedFields: managedFieldsOf(object), scale, apiVersion, paths }),
  };
}
