/** How kinds are scaled: built-in kinds by `spec.replicas`, custom kinds by the paths in their CRD. */

import { invalid } from '@listwatch/api';
import { type KubeObject, scaleOf, withScale } from '@listwatch/rules/internal';
import { fieldPath, type ManagedFieldPath } from '@listwatch/schema';
import type { ResourceDefinition } from '../../kinds/resource-definition.ts';
import { customScaleForm } from './custom-scale-form.ts';

/** How a kind is scaled. */
export interface ScaleForm {
  readonly show: (object: KubeObject) => KubeObject;
  /** The Scale that a change starts from, for kinds whose objects may lack replicas. Default: `show`. */
  readonly showBeforeChange?: ((object: KubeObject) => KubeObject) | undefined;
  /** The object with the replicas of a Scale. Throws the refusal of a Scale that is wrong. */
  readonly change: (scale: KubeObject, object: KubeObject, kind: ResourceDefinition) => KubeObject;
  /** Where the replicas are. */
  readonly replicas: ManagedFieldPath;
}

/** The form of a kind that has the subresource. */
export function scaleFormOf(definition: ResourceDefinition): ScaleForm {
  const { custom, data } = definition;
  if (custom?.scale !== undefined) return customScaleForm(definition, custom.scale);
  const places = { hasLabelMap: data.type === 'core/v1.ReplicationController' };
  return {
    show: (object) => scaleOf(object, places),
    change: (scale, object, kind) => {
      const { errors } = kind.strategy.validate(scale, undefined, '');
      if (errors.length > 0) throw invalid(kind.resource, object.metadata.name ?? '', errors);
      return withScale(object, scale);
    },
    replicas: fieldPath('spec', 'replicas'),
  };
}
