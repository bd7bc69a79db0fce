/** ResourceSlice: devices that a driver offers, and on which nodes. */

import { badRequest, checkDnsSubdomain, type FieldError, fieldInvalid, fieldRequired } from '@listwatch/api';
import { extended, isRecord, type JsonRecord, numberOf, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import { filled } from '../../columns/filled-record.ts';
import { column, namedTable } from '../../columns/table-column.ts';
import { wholeSeconds } from '../../columns/whole-seconds.ts';
import type { KubeObject } from '../../kube-object.ts';
import type { KindRules } from '../../strategy/kind-rules.ts';
import { immutable } from '../../validation/immutable-field.ts';
import { validateNodeSelector } from '../pods/node-selector-rules.ts';
import { validateDriverName } from '../storage/storage-rules.ts';
import { withoutListValues } from './device-attribute-rules.ts';
import { validateNamedItems } from './device-lists.ts';
import { validatePoolName } from './pool-name.ts';
import { validateCounterSet, validateDevice } from './slice-device-rules.ts';

type Errors = readonly FieldError[];

/** The rules of ResourceSlice. */
export const resourceSlice: KindRules = {
  columns: namedTable(
    [
      column('Node', 'The node of the devices, if they are all on one.'),
      column('Driver', 'The driver of the devices.'),
      column('Pool', 'The pool that the slice is a part of.'),
    ],
    (object) => {
      const { nodeName, driver, pool } = recordOf(object['spec']);
      return [textOf(nodeName), textOf(driver), textOf(recordOf(pool)['name'])];
    },
  ),
  resolveField,
  applyDefaults: (object, now) => extended(object, { spec: withTimes(recordOf(object['spec']), now) }),
  onCreate: withoutGatedFields,
  onUpdate: withoutGatedFields,
  validate: (object) => validateSpec(recordOf(object['spec'])),
  validateUpdate: (object, old) => validateSpec(recordOf(object['spec']), recordOf(old['spec'])),
};

function isGated({ attributes, nodeAllocatableResourceMappings }: JsonRecord): boolean {
  return nodeAllocatableResourceMappings !== undefined || hasListValues(attributes);
}

/** Drops fields whose feature gates are off in Kubernetes. */
function withoutGatedFields(object: KubeObject): KubeObject {
  const spec = recordOf(object['spec']);
  if (!recordsOf(spec['devices']).some(isGated)) return object;
  const devices = recordsOf(spec['devices']).map((device) => {
    const { nodeAllocatableResourceMappings: _mappings, ...kept } = device;
    return kept['attributes'] === undefined
      ? kept
      : { ...kept, attributes: withoutListValues(recordOf(kept['attributes'])) };
  });
  return { ...object, spec: { ...spec, devices } };
}

const FIELDS = ['metadata.name', 'spec.driver', 'spec.nodeName'];

function resolveField(field: string, value: string): { readonly field: string; readonly value: string } {
  if (!FIELDS.includes(field)) {
    throw badRequest(`field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: ${field}`);
  }
  return { field, value };
}

/** A taint without `timeAdded` gets the current time. */
function withTimes(spec: JsonRecord, now: number): JsonRecord {
  const devices = recordsOf(spec['devices']);
  if (!devices.some(({ taints }) => taints !== undefined)) return spec;
  const timeAdded = wholeSeconds(now);
  const dated = devices.map((device) => {
    const { taints } = device;
    return taints === undefined
      ? device
      : extended(device, { taints: recordsOf(taints).map((taint) => filled({ timeAdded }, taint)) });
  });
  return extended(spec, { devices: dated });
}

function validateSpec(spec: JsonRecord, old?: JsonRecord): Errors {
  const { driver, pool, nodeName } = spec;
  const known = new Map(recordsOf(old?.['devices']).map((device) => [textOf(device['name']), device]));
  return [
    ...validateDriverName(driver, 'spec.driver'),
    ...validatePool(recordOf(pool)),
    ...(old === undefined
      ? []
      : [
          ...immutable('spec.pool.name', recordOf(pool)['name'], recordOf(old['pool'])['name']),
          ...immutable('spec.driver', driver, old['driver']),
          ...immutable('spec.nodeName', nodeName, old['nodeName']),
        ]),
    ...validateNodes(spec),
    ...(spec['sharedCounters'] !== undefined && spec['devices'] !== undefined
      ? [fieldInvalid('spec', '', 'only one of `sharedCounters` or `devices` is allowed')]
      : []),
    ...validateNamedItems(recordsOf(spec['devices']), devicesMax(spec), 'spec.devices', (device, field) =>
      validateDevice(device, known.get(textOf(device['name'])), spec['perDeviceNodeSelection'] === true, field),
    ),
    ...validateNamedItems(
      recordsOf(spec['sharedCounters']),
      COUNTER_SETS_MAX,
      'spec.sharedCounters',
      validateCounterSet('name'),
    ),
  ];
}

const COUNTER_SETS_MAX = 8;
const ATTRIBUTE_LISTS = ['bools', 'ints', 'strings', 'versions'];

/** A slice whose devices have taints, counters or lists of values may have fewer devices. */
function devicesMax(spec: JsonRecord): number {
  const isLarge = recordsOf(spec['devices']).some(
    ({ taints, consumesCounters, attributes }) =>
      taints !== undefined || consumesCounters !== undefined || hasListValues(attributes),
  );
  return isLarge ? 64 : 128;
}

function hasListValues(attributes: unknown): boolean {
  return Object.values(recordOf(attributes)).some((value) =>
    ATTRIBUTE_LISTS.some((list) => recordOf(value)[list] !== undefined),
  );
}

function validatePool(pool: JsonRecord): Errors {
  const name = textOf(pool['name']);
  const field = 'spec.pool';
  const count = numberOf(pool['resourceSliceCount']);
  const generation = numberOf(pool['generation']);
  return [
    ...validatePoolName(name, `${field}.name`),
    ...(count <= 0 ? [fieldInvalid(`${field}.resourceSliceCount`, count, 'must be greater than zero')] : []),
    ...(generation < 0
      ? [fieldInvalid(`${field}.generation`, generation, 'must be greater than or equal to zero')]
      : []),
  ];
}

const NODE_FIELDS = ['nodeName', 'nodeSelector', 'allNodes', 'perDeviceNodeSelection'];

/** Exactly one field must say which nodes can use the devices. */
function validateNodes(spec: JsonRecord): Errors {
  const isSet = (name: string): boolean =>
    name === 'nodeName' ? textOf(spec[name]) !== '' : spec[name] === true || isRecord(spec[name]);
  const set = NODE_FIELDS.filter(isSet).map((name) => `\`${name}\``);
  const detail = `exactly one of ${NODE_FIELDS.map((name) => `\`${name}\``).join(', ')} is required`;
  return [
    ...(spec['nodeName'] === ''
      ? [fieldInvalid('spec.nodeName', '', 'must be either unset or set to a non-empty string')]
      : []),
    ...(isSet('nodeName')
      ? checkDnsSubdomain(textOf(spec['nodeName'])).map((complaint) =>
          fieldInvalid('spec.nodeName', spec['nodeName'], complaint),
        )
      : []),
    ...(isRecord(spec['nodeSelector']) ? validateOneTerm(spec['nodeSelector'], 'spec.nodeSelector') : []),
    ...['allNodes', 'perDeviceNodeSelection']
      .filter((name) => spec[name] === false)
      .map((name) => fieldInvalid(`spec.${name}`, false, 'must be either unset or set to true')),
    ...(set.length === 0 ? [fieldRequired('spec', detail)] : []),
    ...(set.length > 1 ? [fieldInvalid('spec', `{${set.join(', ')}}`, `${detail}, but multiple fields are set`)] : []),
  ];
}

/** A node selector must have exactly one term: the selectors of several slices are combined. */
function validateOneTerm(selector: JsonRecord, field: string): Errors {
  const { nodeSelectorTerms: terms } = selector;
  const why = 'must have exactly one node selector term';
  return [
    ...validateNodeSelector(selector, field),
    ...(recordsOf(terms).length === 1 ? [] : [fieldInvalid(`${field}.nodeSelectorTerms`, terms ?? null, why)]),
  ];
}
