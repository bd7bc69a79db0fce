/** Node: a machine that pods run on. */

import {
  checkLabelValue,
  checkQualifiedName,
  type FieldError,
  fieldDuplicate,
  fieldForbidden,
  fieldInvalid,
  quote,
} from '@listwatch/api';
import { defined, type JsonRecord, listOf, recordOf, recordsOf, sameJson, textOf } from '@listwatch/api/values';
import { AGE_COLUMN, ageCell, column, NAME_COLUMN, nameCell } from '../../columns/table-column.ts';
import type { KubeObject } from '../../kube-object.ts';
import { listedFields } from '../../strategy/field-selection.ts';
import type { KindRules } from '../../strategy/kind-rules.ts';
import { itemErrors } from '../../validation/item-errors.ts';
import { oneOf } from '../../validation/value-rules.ts';
import { TAINT_EFFECTS } from '../pods/toleration-rules.ts';
import { validateNodeAmounts, validatePodRanges } from './node-amounts.ts';

const wide = { priority: 1 };

/** The rules of Node. */
export const node: KindRules = {
  fieldsOf: (object) => ({ 'spec.unschedulable': String(recordOf(object['spec'])['unschedulable'] === true) }),
  resolveField: listedFields(['metadata.name', 'spec.unschedulable']),
  columns: {
    definitions: [
      NAME_COLUMN,
      column('Status', 'Whether the node is ready.'),
      column('Roles', 'What the node is for.'),
      AGE_COLUMN,
      column('Version', 'The version of its kubelet.'),
      column('Internal-IP', 'Its address in the cluster.', wide),
      column('External-IP', 'Its address for the world.', wide),
      column('OS-Image', 'The operating system.', wide),
      column('Kernel-Version', 'The kernel.', wide),
      column('Container-Runtime', 'What runs its containers.', wide),
    ],
    cells,
  },
  applyDefaults,
  // A kubelet registers its node together with its status.
  onCreate: withoutConfigSource,
  onUpdate: (object, old) => ({ ...object, status: old['status'] }),
  onStatusUpdate: (object, old) => withoutConfig({ ...object, spec: old['spec'] }),
  validate,
  validateUpdate: (object, old) => [...validateChange(object, old), ...validate(object)],
};

function validate(object: KubeObject): readonly FieldError[] {
  return [
    ...validateTaints(recordOf(object['spec'])['taints']),
    ...validateNodeAmounts(recordOf(object['status'])),
    ...validateFeatures(recordOf(object['status'])['declaredFeatures']),
    ...validatePodRanges(recordOf(object['spec'])),
  ];
}

function withoutConfig(object: KubeObject): KubeObject {
  const { config, ...status } = recordOf(object['status']);
  return config === undefined ? object : { ...object, status };
}

/** Drops `configSource`: Kubernetes has removed dynamic kubelet configuration. */
function withoutConfigSource(object: KubeObject): KubeObject {
  const { configSource, ...spec } = recordOf(object['spec']);
  return configSource === undefined ? object : { ...object, spec };
}

function applyDefaults(object: KubeObject): KubeObject {
  const spec = recordOf(object['spec']);
  const status = recordOf(object['status']);
  return {
    ...object,
    spec: defined({ ...spec, ...podRanges(spec) }),
    status: defined({ ...status, allocatable: status['allocatable'] ?? status['capacity'] }),
  };
}

/** Keeps `podCIDR` and the first of `podCIDRs` equal: copies whichever is set. */
function podRanges(spec: JsonRecord): JsonRecord {
  const first = textOf(listOf(spec['podCIDRs'])[0]);
  const one = textOf(spec['podCIDR']);
  if (one !== '' && one !== first) return { podCIDRs: [one] };
  return first === '' ? {} : { podCIDR: first };
}

function cells(object: KubeObject, now: number): readonly unknown[] {
  const status = recordOf(object['status']);
  const info = recordOf(status['nodeInfo']);
  const architecture = textOf(info['architecture']);
  const kernel = textOf(info['kernelVersion']) || '<unknown>';
  return [
    nameCell(object),
    statusCell(object),
    rolesCell(object),
    ageCell(object, now),
    textOf(info['kubeletVersion']),
    addressOf(status, 'InternalIP'),
    addressOf(status, 'ExternalIP'),
    textOf(info['osImage']) || '<unknown>',
    architecture === '' ? kernel : `${kernel} (${architecture})`,
    textOf(info['containerRuntimeVersion']) || '<unknown>',
  ];
}

function statusCell(object: KubeObject): string {
  const ready = recordsOf(recordOf(object['status'])['conditions']).findLast(({ type }) => type === 'Ready');
  const word = ready === undefined ? 'Unknown' : ready['status'] === 'True' ? 'Ready' : 'NotReady';
  return recordOf(object['spec'])['unschedulable'] === true ? `${word},SchedulingDisabled` : word;
}

const ROLE_PREFIX = 'node-role.kubernetes.io/';

function rolesCell(object: KubeObject): string {
  const roles = Object.entries(object.metadata.labels ?? {}).flatMap(([key, value]) => {
    if (key.startsWith(ROLE_PREFIX)) return key.slice(ROLE_PREFIX.length);
    return key === 'kubernetes.io/role' ? value : '';
  });
  const named = [...new Set(roles)].filter((role) => role !== '').toSorted();
  return named.join(',') || '<none>';
}

function addressOf(status: JsonRecord, type: string): string {
  return textOf(recordsOf(status['addresses']).find((address) => address['type'] === type)?.['address']) || '<none>';
}

function validateTaints(value: unknown): readonly FieldError[] {
  const seen = new Set<string>();
  return itemErrors(recordsOf(value), (taint, index) => {
    // Taints are in the spec, but the errors of kube-apiserver have this path.
    const field = `metadata.taints[${index}]`;
    const key = textOf(taint['key']);
    const pair = `${key} ${textOf(taint['effect'])}`;
    const twice = seen.has(pair);
    seen.add(pair);
    const complaints = checkLabelValue(textOf(taint['value']));
    return [
      ...checkQualifiedName(key).map((complaint) => fieldInvalid(`${field}.key`, key, complaint)),
      ...(complaints.length === 0 ? [] : [fieldInvalid(`${field}.value`, taint['value'], complaints.join(';'))]),
      ...oneOf(taint['effect'], TAINT_EFFECTS, `${field}.effect`),
      ...(twice ? [{ ...fieldDuplicate(field, taint), detail: 'taints must be unique by key and effect pair' }] : []),
    ];
  });
}

const FEATURE = /^[A-Z][a-zA-Z0-9]*(?:\/[a-zA-Z][a-zA-Z0-9]*)*$/;
const FEATURE_MAX = 253;
const FEATURE_RULE =
  "must start with an UpperCamelCase segment, with subsequent segments separated by '/' (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes";

/** The features that the kubelet declares: sorted, each once. */
function validateFeatures(value: unknown): readonly FieldError[] {
  const features = listOf(value).map(textOf);
  return itemErrors(features, (feature, index) => {
    const field = `status.declaredFeatures[${index}]`;
    const before = features[index - 1];
    const wrong = feature.length > FEATURE_MAX ? `must be no more than ${FEATURE_MAX} characters` : FEATURE_RULE;
    const isRight = feature.length <= FEATURE_MAX && FEATURE.test(feature);
    return [
      ...(isRight ? [] : [fieldInvalid(field, feature, `invalid feature name ${quote(feature)}: ${wrong}`)]),
      ...(before === feature ? [fieldDuplicate(field, feature)] : []),
      ...(before !== undefined && before > feature
        ? [fieldInvalid(field, feature, 'list must be sorted alphabetically')]
        : []),
    ];
  });
}

function validateChange(object: KubeObject, oldObject: KubeObject): readonly FieldError[] {
  const spec = recordOf(object['spec']);
  const old = recordOf(oldObject['spec']);
  const once = (field: string, shown: string): readonly FieldError[] => {
    const kept = old[field] === undefined || sameJson(spec[field], old[field]);
    const why = `node updates may not change ${shown} except from "" to valid`;
    return kept ? [] : [fieldForbidden(`spec.${field}`, why)];
  };
  const isRenamed = textOf(spec['externalID']) !== textOf(old['externalID']);
  return [
    ...once('podCIDRs', 'podCIDR'),
    ...once('providerID', 'providerID'),
    ...(isRenamed ? [fieldForbidden('spec.externalID', 'may not be updated')] : []),
  ];
}
