/** Writes of the Scale of an object: the object is changed as a whole, with the rules of its kind. */

import { apiVersionOf, notFound } from '@listwatch/api';
import { type KubeObject, managedFieldsOf, requireRequestName, virtualKind } from '@listwatch/rules/internal';
import { type ReplicasPaths, scaledManagedFields, scaleManagedFields } from '@listwatch/schema';
import type { ResourceCall, VerbContext } from '../../contract/verb.ts';
import type { ResourceDefinition } from '../../kinds/resource-definition.ts';
import { type PatchView, viewOwners } from '../owners/patch-view.ts';
import { patchPlanOf } from '../pipeline.ts';
import { readVirtualRequest } from '../reviews/virtual-request.ts';
import type { WritePlan } from '../write.ts';
import { type ScaleForm, scaleFormOf } from './kind-scale-form.ts';

/** Replaces the Scale by the body. The call names the whole object. */
export async function scaleUpdatePlan(context: VerbContext, call: ResourceCall): Promise<WritePlan> {
  const { definition, path } = call;
  const kind = virtualKind('autoscaling/v1.Scale');
  const view = scaleView(definition, kind, scaleFormOf(definition));
  const { object: scale, options } = await readVirtualRequest(context, call, kind, 'UpdateOptions');
  requireRequestName(call, scale);
  const next = (old: KubeObject | undefined): KubeObject => {
    if (old === undefined) throw notFound(definition.resource, path.name);
    return view.change(scale, old);
  };
  const owners = viewOwners(context, call, view, options.fieldManager);
  const bytes = (await call.request.body()).length;
  return { next, owners, uid: scale.metadata.uid, creates: false, options, bytes, view };
}

/** Patches the Scale. The call names the whole object. */
export async function scalePatchPlan(context: VerbContext, call: ResourceCall): Promise<WritePlan> {
  const kind = virtualKind('autoscaling/v1.Scale');
  await kind.load();
  return patchPlanOf(context, call, scaleView(call.definition, kind, scaleFormOf(call.definition)));
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
