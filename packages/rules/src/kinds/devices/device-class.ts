/** DeviceClass: devices of one sort, and how they are configured. */

import { recordOf, recordsOf } from '@listwatch/api/values';
import type { CustomVerdict, Steps } from '@listwatch/schema';
import type { KubeObject } from '../../kube-object.ts';
import type { KindRules } from '../../strategy/kind-rules.ts';
import { subdomainName } from '../../validation/name-rules.ts';
import { limited, validateDeviceConfiguration, validateDeviceSelectors } from './device-claim-rules.ts';
import { judgeSelectors } from './device-expressions.ts';

const CONFIGURATIONS_MAX = 32;

/** The rules of DeviceClass. */
export const deviceClass: KindRules = {
  strategy: { judge },
  // A prefix is not checked, only the name that comes of it.
  checkName: (name, isPrefix) => (isPrefix ? [] : subdomainName(name, false)),
};

function judge(object: KubeObject): Steps<CustomVerdict> {
  const { selectors, config } = recordOf(object['spec']);
  return judgeSelectors(recordsOf(selectors), (expressions) => [
    ...validateDeviceSelectors(selectors, expressions, 'spec.selectors'),
    ...limited(recordsOf(config), CONFIGURATIONS_MAX, 'spec.config', validateDeviceConfiguration),
  ]);
}
