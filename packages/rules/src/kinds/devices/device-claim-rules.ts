/** The rules for device requests in claims, claim templates and device classes. */

import {
  checkDnsSubdomain,
  checkLabelValue,
  checkQualifiedName,
  type FieldError,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from '@listwatch/api';
import { extended, isRecord, type JsonRecord, numberOf, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import { itemErrors } from '../../validation/item-errors.ts';
import { named, oneOf } from '../../validation/value-rules.ts';
import { validateDriverName } from '../storage/storage-rules.ts';
import type { DeviceExpressions } from './device-expressions.ts';
import { limited, validateNamedItems } from './device-lists.ts';
import { validateFullPropertyName } from './device-property-names.ts';
import { requestNames, validateReferences, validateRequestName } from './request-references.ts';

type Errors = readonly FieldError[];

const LIST_MAX = 32;
const ALTERNATIVES_MAX = 8;

/** Sets the defaults of the requests of a claim: one device each. */
export function defaultDeviceClaim(spec: JsonRecord): JsonRecord {
  const devices = recordOf(spec['devices']);
  if (recordsOf(devices['requests']).length === 0) return spec;
  const requests = recordsOf(devices['requests']).map((request) => {
    const { exactly, firstAvailable } = request;
    return extended(request, {
      ...(isRecord(exactly) ? { exactly: withCount(exactly) } : {}),
      ...(firstAvailable === undefined ? {} : { firstAvailable: recordsOf(firstAvailable).map(withCount) }),
    });
  });
  return extended(spec, { devices: extended(devices, { requests }) });
}

function withCount(request: JsonRecord): JsonRecord {
  const allocationMode = textOf(request['allocationMode']) || 'ExactCount';
  const needsCount = allocationMode === 'ExactCount' && numberOf(request['count']) === 0;
  return extended(request, { allocationMode, ...(needsCount ? { count: 1 } : {}) });
}

/** Checks the devices of a claim. */
export function validateDeviceClaim(devices: JsonRecord, expressions: DeviceExpressions, field: string): Errors {
  const requests = recordsOf(devices['requests']);
  const names = requestNames(devices);
  return [
    ...validateNamedItems(requests, LIST_MAX, `${field}.requests`, (request, at) =>
      validateRequest(request, expressions, at),
    ),
    ...limited(recordsOf(devices['constraints']), LIST_MAX, `${field}.constraints`, (constraint, at) =>
      validateConstraint(constraint, names, at),
    ),
    ...limited(recordsOf(devices['config']), LIST_MAX, `${field}.config`, (config, at) => [
      ...validateReferences(config['requests'], names, `${at}.requests`),
      ...validateDeviceConfiguration(config, at),
    ]),
  ];
}

/** Checks the configuration of devices by one driver. */
export function validateDeviceConfiguration({ opaque }: JsonRecord, field: string): Errors {
  if (!isRecord(opaque)) return [fieldRequired(`${field}.opaque`)];
  return [
    ...validateDriverName(opaque['driver'], `${field}.opaque.driver`),
    ...(isRecord(opaque['parameters']) ? [] : [fieldRequired(`${field}.opaque.parameters`)]),
  ];
}

/** Checks the expressions that select devices. */
export function validateDeviceSelectors(value: unknown, expressions: DeviceExpressions, field: string): Errors {
  return limited(recordsOf(value), LIST_MAX, field, ({ cel }, at) => {
    if (!isRecord(cel)) return [fieldRequired(`${at}.cel`)];
    return expressions.errors(textOf(cel['expression']), `${at}.cel.expression`);
  });
}

function validateRequest(request: JsonRecord, expressions: DeviceExpressions, field: string): Errors {
  const { exactly } = request;
  const alternatives = recordsOf(request['firstAvailable']);
  const name = validateRequestName(request['name'], `${field}.name`);
  const detail = 'exactly one of `exactly` or `firstAvailable` is required';
  if (isRecord(exactly) && alternatives.length > 0) {
    return [...name, fieldInvalid(field, null, `${detail}, but multiple fields are set`)];
  }
  if (isRecord(exactly)) return [...name, ...validateDevices(exactly, expressions, `${field}.exactly`)];
  if (alternatives.length === 0) return [...name, fieldRequired(field, detail)];
  const check = (one: JsonRecord, at: string): Errors => [
    ...validateRequestName(one['name'], `${at}.name`),
    ...validateDevices(one, expressions, at),
  ];
  return [...name, ...validateNamedItems(alternatives, ALTERNATIVES_MAX, `${field}.firstAvailable`, check)];
}

function validateDevices(request: JsonRecord, expressions: DeviceExpressions, field: string): Errors {
  const name = textOf(request['deviceClassName']);
  return [
    ...(name === ''
      ? [fieldRequired(`${field}.deviceClassName`)]
      : checkDnsSubdomain(name).map((complaint) => fieldInvalid(`${field}.deviceClassName`, name, complaint))),
    ...validateDeviceSelectors(request['selectors'], expressions, `${field}.selectors`),
    ...validateMode(textOf(request['allocationMode']), numberOf(request['count']), field),
    ...itemErrors(recordsOf(request['tolerations']), (toleration, index) =>
      validateToleration(toleration, `${field}.tolerations[${index}]`),
    ),
  ];
}

function validateMode(mode: string, count: number, field: string): Errors {
  if (mode === 'All') {
    const detail = "must not be specified when allocationMode is 'All'";
    return count === 0 ? [] : [fieldInvalid(`${field}.count`, count, detail)];
  }
  if (mode !== 'ExactCount') return [fieldNotSupported(`${field}.allocationMode`, mode, ['All', 'ExactCount'])];
  return count > 0 ? [] : [fieldInvalid(`${field}.count`, count, 'must be greater than zero')];
}

/** The effects of a device taint on pods that do not tolerate it. */
export const DEVICE_EFFECTS: readonly string[] = ['NoExecute', 'NoSchedule', 'None'];

function validateToleration(toleration: JsonRecord, field: string): Errors {
  const value = textOf(toleration['value']);
  const operator = textOf(toleration['operator']);
  const effect = textOf(toleration['effect']);
  return [
    ...named(toleration['key'], checkQualifiedName, `${field}.key`),
    ...(operator === 'Exists' && value !== ''
      ? [fieldInvalid(`${field}.value`, value, 'must be empty for operator `Exists`')]
      : []),
    ...(operator === 'Equal'
      ? checkLabelValue(value).map((complaint) => fieldInvalid(`${field}.value`, value, complaint))
      : []),
    ...oneOf(operator, ['Equal', 'Exists'], `${field}.operator`),
    ...(effect === '' || DEVICE_EFFECTS.includes(effect)
      ? []
      : [fieldNotSupported(`${field}.effect`, effect, DEVICE_EFFECTS)]),
  ];
}

function validateConstraint(constraint: JsonRecord, names: ReadonlySet<string>, field: string): Errors {
  const { matchAttribute, distinctAttribute } = constraint;
  const detail = 'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set';
  const isMissing = typeof matchAttribute !== 'string' && typeof distinctAttribute !== 'string';
  return [
    ...validateReferences(constraint['requests'], names, `${field}.requests`),
    ...validateAttribute(constraint, field),
    ...(isMissing ? [fieldRequired(field, detail)] : []),
  ];
}

/** Checks `matchAttribute`, or `distinctAttribute` if that is absent. */
function validateAttribute({ matchAttribute, distinctAttribute }: JsonRecord, field: string): Errors {
  if (typeof matchAttribute === 'string') return validateFullPropertyName(matchAttribute, `${field}.matchAttribute`);
  if (typeof distinctAttribute !== 'string') return [];
  return validateFullPropertyName(distinctAttribute, `${field}.distinctAttribute`);
}
