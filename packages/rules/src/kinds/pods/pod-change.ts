/** The changes allowed in a pod: images and few other fields. */

import { type FieldError, fieldForbidden, fieldInvalid } from '@listwatch/api';
import { isJsonNumber, type JsonRecord, recordOf, recordsOf, sameJson, textOf } from '@listwatch/api/values';
import type { KubeObject } from '../../kube-object.ts';
import { immutable } from '../../validation/immutable-field.ts';
import { itemErrors } from '../../validation/item-errors.ts';
import { rangeText } from '../../validation/value-rules.ts';
import { isGated, validateNodeChoice, withNodeChoice } from './gated-pod-change.ts';
import { validatePodStatus } from './pod-status-rules.ts';
import { validateTolerationsChange } from './toleration-rules.ts';

const CHANGEABLE = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
].join(',');

/** The rules for a change of a pod. */
export function validatePodChange(object: KubeObject, oldObject: KubeObject): readonly FieldError[] {
  const spec = recordOf(object['spec']);
  const old = recordOf(oldObject['spec']);
  const other = (['containers', 'initContainers'] as const).find(
    (name) => recordsOf(spec[name]).length !== recordsOf(old[name]).length,
  );
  if (other !== undefined) return [fieldForbidden(`spec.${other}`, 'pod updates may not add or remove containers')];
  return [
    ...imageSpaces(spec),
    ...validateDeadline(spec['activeDeadlineSeconds'], old['activeDeadlineSeconds']),
    ...validateTolerationsChange(spec['tolerations'], old['tolerations'], 'spec.tolerations'),
    ...validateGates(spec['schedulingGates'], old['schedulingGates']),
    ...(isGated(old) ? validateNodeChoice(spec, old) : []),
    ...validateRest(isGated(old) ? withNodeChoice(spec, old) : spec, old),
    ...(sameJson(object['status'], oldObject['status']) ? [] : validatePodStatus(object, oldObject)),
    ...immutable('status.qosClass', recordOf(object['status'])['qosClass'], recordOf(oldObject['status'])['qosClass']),
  ];
}

/** The errors about spaces around images. Templates may have them: their pods are refused. */
export function imageSpaces(spec: JsonRecord): readonly FieldError[] {
  return (['containers', 'initContainers'] as const).flatMap((name) =>
    itemErrors(recordsOf(spec[name]), ({ image }, index) => {
      const text = textOf(image);
      if (text.trim() === text) return [];
      return [fieldInvalid(`spec.${name}[${index}].image`, text, 'must not have leading or trailing whitespace')];
    }),
  );
}

function validateDeadline(value: unknown, old: unknown): readonly FieldError[] {
  const field = 'spec.activeDeadlineSeconds';
  const max = 2 ** 31 - 1;
  if (!isJsonNumber(value)) {
    if (old === undefined) return [];
    return [fieldInvalid(field, null, 'must not update from a positive integer to nil value')];
  }
  if (value < 0 || value > max) return [fieldInvalid(field, value, rangeText(0, max))];
  if (isJsonNumber(old) && old < value) {
    return [fieldInvalid(field, value, 'must be less than or equal to previous value')];
  }
  return [];
}

function validateGates(value: unknown, old: unknown): readonly FieldError[] {
  const known = new Set(recordsOf(old).map(({ name }) => name));
  return itemErrors(recordsOf(value), ({ name }, index) => {
    if (known.has(name)) return [];
    const why = `only deletion is allowed, but found new scheduling gate '${textOf(name)}'`;
    return [fieldForbidden(`spec.schedulingGates[${index}].name`, why)];
  });
}

function validateRest(spec: JsonRecord, old: JsonRecord): readonly FieldError[] {
  const munged = withChangeable(spec, old);
  const names = [...new Set([...Object.keys(munged), ...Object.keys(old)])];
  const changed = names.filter((name) => !sameJson(munged[name], old[name]));
  if (changed.length === 0) return [];
  const places = changed.map((name) => `  spec.${name}`).join('\n');
  return [fieldForbidden('spec', `pod updates may not change fields other than ${CHANGEABLE}\n${places}`)];
}

/** The new spec with the old values of all mutable fields. Any remaining difference is an error. */
function withChangeable(spec: JsonRecord, old: JsonRecord): JsonRecord {
  const grace = old['terminationGracePeriodSeconds'];
  const repaired = isJsonNumber(grace) && grace < 0 && spec['terminationGracePeriodSeconds'] === 1;
  return {
    ...spec,
    containers: withImages(spec['containers'], old['containers']),
    initContainers: withImages(spec['initContainers'], old['initContainers']),
    activeDeadlineSeconds: old['activeDeadlineSeconds'],
    tolerations: old['tolerations'],
    schedulingGates: old['schedulingGates'],
    terminationGracePeriodSeconds: repaired ? grace : spec['terminationGracePeriodSeconds'],
  };
}

function withImages(value: unknown, old: unknown): unknown {
  if (value === undefined) return undefined;
  const images = recordsOf(old).map(({ image }) => image);
  return recordsOf(value).map((container, index) => ({ ...container, image: images[index] }));
}
