/** ResourceClaimTemplate: a template for claims, one for each pod. */

import { extended, recordOf } from '@listwatch/api/values';
import type { Findings } from '@listwatch/schema';
import type { KubeObject } from '../../kube-object.ts';
import type { KindRules } from '../../strategy/kind-rules.ts';
import { immutable } from '../../validation/immutable-field.ts';
import { validateTemplateMetadata } from '../../validation/template-metadata.ts';
import { defaultDeviceClaim, validateDeviceClaim } from './device-claim-rules.ts';
import { judgeSelectors } from './device-expressions.ts';

/** The rules of ResourceClaimTemplate. */
export const resourceClaimTemplate: KindRules = {
  applyDefaults: (object) => {
    const spec = recordOf(object['spec']);
    return extended(object, { spec: extended(spec, { spec: defaultDeviceClaim(recordOf(spec['spec'])) }) });
  },
  strategy: { judge },
};

function judge(object: KubeObject, old: KubeObject | undefined): Findings {
  const devices = recordOf(recordOf(recordOf(object['spec'])['spec'])['devices']);
  return judgeSelectors((expressions) => [
    ...validateTemplateMetadata(recordOf(recordOf(object['spec'])['metadata']), 'spec.metadata'),
    ...validateDeviceClaim(devices, expressions, 'spec.spec.devices'),
    ...(old === undefined ? [] : immutable('spec', object['spec'], old['spec'])),
  ]);
}
