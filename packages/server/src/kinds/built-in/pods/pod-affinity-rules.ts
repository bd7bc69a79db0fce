/** The rules for where a pod may run: near which nodes and which other pods. */

import {
  checkDnsLabel,
  checkQualifiedName,
  type FieldError,
  fieldDuplicate,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from '@listwatch/api';
import { type JsonRecord, listOf, numberOf, recordOf, recordsOf, textOf } from '../../json/json-value.ts';
import { itemErrors } from '../../validation/item-errors.ts';
import { validateLabelSelector } from '../../validation/label-selector-rules.ts';
import { validateNodeSelector, validateNodeSelectorTerm } from './node-selector-rules.ts';

type Errors = readonly FieldError[];

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

/** Checks `affinity` of a pod. */
export function validateAffinity(affinity: JsonRecord, field: string): Errors {
  return [
    ...validateNodeAffinity(recordOf(affinity['nodeAffinity']), `${field}.nodeAffinity`),
    ...['podAffinity', 'podAntiAffinity'].flatMap((name) =>
      validatePodAffinity(recordOf(affinity[name]), `${field}.${name}`),
    ),
  ];
}

function validateNodeAffinity(affinity: JsonRecord, field: string): Errors {
  const { [REQUIRED]: required, [PREFERRED]: preferred } = affinity;
  return [
    ...(required === undefined ? [] : validateNodeSelector(recordOf(required), `${field}.${REQUIRED}`)),
    ...itemErrors(recordsOf(preferred), ({ weight, preference }, index) => {
      const place = `${field}.${PREFERRED}[${index}]`;
      return [
        ...validateWeight(weight, place),
        ...validateNodeSelectorTerm(recordOf(preference), `${place}.preference`, false),
      ];
    }),
  ];
}

function validateWeight(weight: unknown, field: string): Errors {
  const value = numberOf(weight);
  return value >= 1 && value <= 100 ? [] : [fieldInvalid(`${field}.weight`, value, 'must be in the range 1-100')];
}

function validatePodAffinity(affinity: JsonRecord, field: string): Errors {
  return [
    ...itemErrors(recordsOf(affinity[REQUIRED]), (term, index) => validateTerm(term, `${field}.${REQUIRED}[${index}]`)),
    ...itemErrors(recordsOf(affinity[PREFERRED]), ({ weight, podAffinityTerm }, index) => {
      const place = `${field}.${PREFERRED}[${index}]`;
      return [...validateWeight(weight, place), ...validateTerm(recordOf(podAffinityTerm), `${place}.podAffinityTerm`)];
    }),
  ];
}

function validateTerm(term: JsonRecord, field: string): Errors {
  const key = textOf(term['topologyKey']);
  const place = `${field}.topologyKey`;
  return [
    ...validateLabelSelector(term['labelSelector'], `${field}.labelSelector`),
    ...validateLabelSelector(term['namespaceSelector'], `${field}.namespaceSelector`),
    ...itemErrors(listOf(term['namespaces']).map(textOf), (name) =>
      checkDnsLabel(name).map((complaint) => fieldInvalid(`${field}.namespace`, name, complaint)),
    ),
    ...(key === '' ? [fieldRequired(place, 'can not be empty')] : []),
    ...checkQualifiedName(key).map((complaint) => fieldInvalid(place, key, complaint)),
  ];
}

const UNSATISFIABLE = ['DoNotSchedule', 'ScheduleAnyway'];

/** Checks `topologySpreadConstraints` of a pod. */
export function validateSpread(value: unknown, field: string): Errors {
  const constraints = recordsOf(value);
  const pairs = constraints.map((one) => `${textOf(one['topologyKey'])}, ${textOf(one['whenUnsatisfiable'])}`);
  const last = new Map(pairs.map((pair, index) => [pair, index]));
  return itemErrors(constraints, (constraint, index) => {
    const place = `${field}[${index}]`;
    const pair = pairs[index] ?? '';
    const { maxSkew, topologyKey, whenUnsatisfiable, labelSelector } = constraint;
    return [
      ...(numberOf(maxSkew) > 0
        ? []
        : [fieldInvalid(`${place}.maxSkew`, numberOf(maxSkew), 'must be greater than zero')]),
      ...(textOf(topologyKey) === '' ? [fieldRequired(`${place}.topologyKey`, 'can not be empty')] : []),
      ...(UNSATISFIABLE.includes(textOf(whenUnsatisfiable))
        ? []
        : [fieldNotSupported(`${place}.whenUnsatisfiable`, textOf(whenUnsatisfiable), UNSATISFIABLE)]),
      ...((last.get(pair) ?? index) > index
        ? [fieldDuplicate(`${place}.{topologyKey, whenUnsatisfiable}`, `{${pair}}`)]
        : []),
      ...validateLabelSelector(labelSelector, `${place}.labelSelector`),
    ];
  });
}
