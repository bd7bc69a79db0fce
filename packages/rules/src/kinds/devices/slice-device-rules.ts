/** The rules for one device of a ResourceSlice. */

import {
  checkDnsLabel,
  checkDnsSubdomain,
  checkLabelValue,
  checkQualifiedName,
  type FieldError,
  fieldDuplicate,
  fieldInvalid,
  fieldRequired,
  fieldTooMany,
} from '@listwatch/api';
import { isRecord, type JsonRecord, listOf, recordOf, recordsOf, sameJson, textOf } from '@listwatch/api/values';
import { itemErrors } from '../../validation/item-errors.ts';
import { named, oneOf, requiredLabel } from '../../validation/value-rules.ts';
import { validateNodeSelector } from '../pods/node-selector-rules.ts';
import { validateAttributes, validateCounts } from './device-attribute-rules.ts';
import { validateCapacity } from './device-capacity-rules.ts';
import { DEVICE_EFFECTS } from './device-claim-rules.ts';
import { limited, validateKeyedItems } from './device-lists.ts';

type Errors = readonly FieldError[];

const TAINTS_MAX = 16;
const CONSUMED_SETS_MAX = 2;

/** Checks a device; `old` is the previous device of this name; `isPlaced`: every device selects its own nodes. */
export function validateDevice(
  device: JsonRecord,
  old: JsonRecord | undefined,
  isPlaced: boolean,
  field: string,
): Errors {
  const name = textOf(device['name']);
  return [
    ...checkDnsLabel(name).map((complaint) => fieldInvalid(`${field}.name`, name, complaint)),
    ...validateCounts(device, field),
    ...validateAttributes(recordOf(device['attributes']), `${field}.attributes`),
    ...validateCapacity(recordOf(device['capacity']), device['allowMultipleAllocations'] === true, `${field}.capacity`),
    ...(old !== undefined && sameJson(old['taints'], device['taints'])
      ? []
      : limited(recordsOf(device['taints']), TAINTS_MAX, `${field}.taints`, validateTaint)),
    ...validateKeyedItems(
      recordsOf(device['consumesCounters']),
      { key: 'counterSet', max: CONSUMED_SETS_MAX, field: `${field}.consumesCounters` },
      validateCounterSet('counterSet'),
    ),
    ...(isPlaced ? validatePlace(device, field) : validateNoPlace(device, field)),
    ...validateBinding(device, field),
  ];
}

function validateTaint(taint: JsonRecord, field: string): Errors {
  const key = textOf(taint['key']);
  return [
    ...checkQualifiedName(key).map((complaint) => fieldInvalid(`${field}.key`, key, complaint)),
    ...named(taint['value'], checkLabelValue, `${field}.value`),
    ...oneOf(taint['effect'], DEVICE_EFFECTS, `${field}.effect`),
  ];
}

const COUNTERS_MAX = 32;

/** Checks a counter set, whose name is in the field `key`. */
export function validateCounterSet(key: 'counterSet' | 'name'): (set: JsonRecord, field: string) => Errors {
  return (set, field) => {
    const names = Object.keys(recordOf(set['counters']));
    const place = `${field}.counters`;
    return [
      ...requiredLabel(set[key], `${field}.${key}`),
      ...(names.length === 0 ? [fieldRequired(place)] : []),
      ...(names.length > COUNTERS_MAX
        ? [fieldTooMany(place, names.length, COUNTERS_MAX)]
        : itemErrors(names, (name) => checkDnsLabel(name).map((complaint) => fieldInvalid(place, name, complaint)))),
    ];
  };
}

const PLACES = ['nodeName', 'nodeSelector', 'allNodes'];
const ONE_PLACE =
  'exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec';
const NO_PLACE =
  '`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec';

function validatePlace(device: JsonRecord, field: string): Errors {
  const { nodeName, nodeSelector, allNodes } = device;
  const set = [textOf(nodeName) !== '', isRecord(nodeSelector), allNodes === true];
  const names = PLACES.filter((_, index) => set[index]).map((name) => `\`${name}\``);
  return [
    ...(nodeName === '' ? [fieldInvalid(`${field}.nodeName`, '', 'must not be empty')] : []),
    ...named(nodeName, checkDnsSubdomain, `${field}.nodeName`),
    ...(isRecord(nodeSelector) ? validateNodeSelector(nodeSelector, `${field}.nodeSelector`) : []),
    ...(allNodes === false ? [fieldInvalid(`${field}.allNodes`, false, 'must be either unset or set to true')] : []),
    ...(names.length === 0 ? [fieldRequired(field, ONE_PLACE)] : []),
    ...(names.length > 1 ? [fieldInvalid(field, `{${names.join(', ')}}`, ONE_PLACE)] : []),
  ];
}

function validateNoPlace(device: JsonRecord, field: string): Errors {
  return PLACES.some((name) => device[name] !== undefined) ? [fieldInvalid(field, null, NO_PLACE)] : [];
}

const BINDING_MAX = 4;

/** Checks the binding conditions: both lists must be set, or none. */
export function validateBinding(device: JsonRecord, field: string): Errors {
  const good = listOf(device['bindingConditions']).map(textOf);
  const bad = listOf(device['bindingFailureConditions']).map(textOf);
  const [goodField, badField] = [`${field}.bindingConditions`, `${field}.bindingFailureConditions`];
  const overlap = 'bindingFailureConditions must not overlap with bindingConditions';
  return [
    ...validateConditions(good, goodField),
    ...validateConditions(bad, badField),
    ...itemErrors(bad, (name, index) =>
      good.includes(name) ? [fieldInvalid(`${badField}[${index}]`, name, overlap)] : [],
    ),
    ...(good.length === 0 && bad.length > 0
      ? [fieldInvalid(goodField, null, 'bindingConditions are required to use bindingFailureConditions')]
      : []),
    ...(bad.length === 0 && good.length > 0
      ? [fieldInvalid(badField, null, 'bindingFailureConditions are required to use bindingConditions')]
      : []),
  ];
}

function validateConditions(names: readonly string[], field: string): Errors {
  return [
    ...limited(names, BINDING_MAX, field, (name, at) =>
      checkQualifiedName(name).map((complaint) => fieldInvalid(at, name, complaint)),
    ),
    ...itemErrors(names, (name, index) =>
      names.indexOf(name) < index ? [fieldDuplicate(`${field}[${index}]`, name)] : [],
    ),
  ];
}
