/** DeviceClass: a set of devices, selected by expressions, and their configuration. */

import { type FieldError, fieldInvalid } from '@listwatch/api';
import { recordOf, recordsOf } from '@listwatch/api/values';
import type { KubeObject } from '../../kube-object.ts';
import type { KindRules } from '../../strategy/kind-rules.ts';
import { finalSubdomainName } from '../../validation/name-rules.ts';
import { isExtendedResource } from '../../validation/resource-names.ts';
import { validateDeviceConfiguration, validateDeviceSelectors } from './device-claim-rules.ts';
import { DeviceExpressions } from './device-expressions.ts';
import { limited } from './device-lists.ts';

const CONFIGURATIONS_MAX = 32;

/** The rules of DeviceClass. */
export const deviceClass: KindRules = {
  validate,
  checkName: finalSubdomainName,
};

function validate(object: KubeObject): readonly FieldError[] {
  const { selectors, config, extendedResourceName } = recordOf(object['spec']);
  return [
    ...validateDeviceSelectors(selectors, new DeviceExpressions(), 'spec.selectors'),
    ...limited(recordsOf(config), CONFIGURATIONS_MAX, 'spec.config', validateDeviceConfiguration),
    ...validateExtendedName(extendedResourceName),
  ];
}

function validateExtendedName(name: unknown): readonly FieldError[] {
  if (typeof name !== 'string' || isExtendedResource(name)) return [];
  return [fieldInvalid('spec.extendedResourceName', name, 'must be a valid extended resource name')];
}
