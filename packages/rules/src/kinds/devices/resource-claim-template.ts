/** ResourceClaimTemplate: a template for claims, one for each pod. */

import type { FieldError } from '@listwatch/api';
import { extended, recordOf } from '@listwatch/api/values';
import type { KubeObject } from '../../kube-object.ts';
import type { KindRules } from '../../strategy/kind-rules.ts';
import { immutable } from '../../validation/immutable-field.ts';
import { validateTemplateMetadata } from '../../validation/template-metadata.ts';
import { defaultDeviceClaim, validateDeviceClaim } from './device-claim-rules.ts';
import { DeviceExpressions } from './device-expressions.ts';

/** The rules of ResourceClaimTemplate. */
export const resourceClaimTemplate: KindRules = {
  applyDefaults: (object) => {
    const spec = recordOf(object['spec']);
    return extended(object, { spec: extended(spec, { spec: defaultDeviceClaim(recordOf(spec['spec'])) }) });
  },
  validate,
  validateUpdate: (object, old) => [...validate(object), ...immutable('spec', object['spec'], old['spec'])],
};

function validate(object: KubeObject): readonly FieldError[] {
  const { metadata, spec } = recordOf(object['spec']);
  return [
    ...validateTemplateMetadata(recordOf(metadata), 'spec.metadata'),
    ...validateDeviceClaim(recordOf(recordOf(spec)['devices']), new DeviceExpressions(), 'spec.spec.devices'),
  ];
}
