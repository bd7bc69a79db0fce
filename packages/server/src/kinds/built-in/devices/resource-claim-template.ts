/** ResourceClaimTemplate: the claim that each pod gets of its own. */

import type { FieldError } from '@listwatch/api';
import { extended, recordOf } from '../../json/json-value.ts';
import type { KindRules } from '../../kind-rules.ts';
import type { KubeObject } from '../../resource-definition.ts';
import { immutable } from '../../validation/immutable-field.ts';
import { defaultDeviceClaim, validateDeviceClaim } from './device-claim-rules.ts';

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
  const claim = recordOf(recordOf(object['spec'])['spec']);
  return validateDeviceClaim(recordOf(claim['devices']), 'spec.spec.devices');
}
