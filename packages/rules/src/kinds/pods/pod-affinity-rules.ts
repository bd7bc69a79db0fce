/** The rules for affinity and topology spread constraints of a pod. */

import {
  checkDnsLabel,
  checkQualifiedName,
  type FieldError,
  fieldDuplicate,
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from '@listwatch/api';
import { type JsonRecord, listOf, numberOf, recordOf, recordsOf, textOf } from '@listwatch/api/values';
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
    ...validateLabelKeys(term, field),
    ...(key === '' ? [fieldRequired(place, 'can not be empty')] : []),
    ...checkQualifiedName(key).map((complaint) => fieldInvalid(place, key, complaint)),
  ];
}

/** The rules for `matchLabelKeys` and `mismatchLabelKeys`, which take values from the pod's own labels. */
function validateLabelKeys({ matchLabelKeys, mismatchLabelKeys, labelSelector }: JsonRecord, field: string): Errors {
  const [match, mismatch] = [matchLabelKeys, mismatchLabelKeys].map((keys) => listOf(keys).map(textOf));
  const { matchLabels, matchExpressions } = recordOf(labelSelector);
  const seen = new Set(Object.keys(recordOf(matchLabels)));
  const twice = recordsOf(matchExpressions)
    .map(({ key }) => textOf(key))
    .filter((key) => {
      const again = seen.has(key);
      seen.add(key);
      return again && match?.includes(key);
    });
  return [
    ...keyErrors(match ?? [], labelSelector, `${field}.matchLabelKeys`),
    ...keyErrors(mismatch ?? [], labelSelector, `${field}.mismatchLabelKeys`),
    ...twice.map((key) =>
      fieldInvalid(`${field}[${match?.indexOf(key)}]`, key, 'exists in both matchLabelKeys and labelSelector'),
    ),
    ...itemErrors(match ?? [], (key, index) =>
      mismatch?.includes(key)
        ? [
            fieldInvalid(
              `${field}.matchLabelKeys[${index}]`,
              key,
              'exists in both matchLabelKeys and mismatchLabelKeys',
            ),
          ]
        : [],
    ),
  ];
}

function keyErrors(keys: readonly string[], selector: unknown, field: string): Errors {
  if (keys.length > 0 && selector === undefined) {
    return [fieldForbidden(field, 'must not be specified when labelSelector is not set')];
  }
  return itemErrors(keys, (key, index) =>
    checkQualifiedName(key).map((complaint) => fieldInvalid(`${field}[${index}]`, key, complaint)),
  );
}

const NODE_POLICIES = ['Honor', 'Ignore'];

function validateDomains({ minDomains, whenUnsatisfiable, ...constraint }: JsonRecord, field: string): Errors {
  const count = numberOf(minDomains);
  const when = textOf(whenUnsatisfiable);
  const only = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${when}`;
  return [
    ...(minDomains !== undefined && count <= 0
      ? [fieldInvalid(`${field}.minDomains`, count, 'must be greater than zero')]
      : []),
    ...(minDomains !== undefined && when !== 'DoNotSchedule' ? [fieldInvalid(`${field}.minDomains`, count, only)] : []),
    ...['nodeAffinityPolicy', 'nodeTaintsPolicy']
      .filter((name) => constraint[name] !== undefined && !NODE_POLICIES.includes(textOf(constraint[name])))
      .map((name) => fieldNotSupported(`${field}.${name}`, constraint[name], NODE_POLICIES)),
    ...validateLabelKeys({ ...constraint, mismatchLabelKeys: undefined }, field),
  ];
}

const UNSATISFIABLE = ['DoNotSchedule', 'ScheduleAnyway'];

/** Checks `topologySpreadConstraints` of a pod. */
export function validateSpread(value: unknown, field: string): Errors {
  const constraints = recordsOf(value);
  if (constraints.length === 0) return [];
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
      ...validateDomains(constraint, place),
      ...validateLabelSelector(labelSelector, `${place}.labelSelector`),
    ];
  });
}
