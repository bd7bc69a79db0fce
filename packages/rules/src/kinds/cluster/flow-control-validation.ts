/** Validates the rules of FlowSchemas. */

import {
  checkDnsLabel,
  checkDnsSubdomain,
  type FieldError,
  fieldDuplicate,
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from '@listwatch/api';
import { isRecord, type JsonRecord, listOf, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import { itemErrors } from '../../validation/item-errors.ts';

type Errors = readonly FieldError[];

const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch'];

/** Checks one rule: its subjects and the requests that it matches. */
export function validateFlowRule(rule: JsonRecord, field: string): Errors {
  const subjects = recordsOf(rule['subjects']);
  const resources = recordsOf(rule['resourceRules']);
  const paths = recordsOf(rule['nonResourceRules']);
  return [
    ...(subjects.length === 0
      ? [fieldRequired(`${field}.subjects`, 'subjects must contain at least one value')]
      : itemErrors(subjects, (subject, index) => validateSubject(subject, `${field}.subjects[${index}]`))),
    ...(resources.length === 0 && paths.length === 0
      ? [fieldRequired(field, 'at least one of resourceRules and nonResourceRules has to be non-empty')]
      : []),
    ...itemErrors(resources, (one, index) => validateResourceRule(one, `${field}.resourceRules[${index}]`)),
    ...itemErrors(paths, (one, index) => validatePathRule(one, `${field}.nonResourceRules[${index}]`)),
  ];
}

/** The kinds of subjects, and the field that each is in. */
const SUBJECT_FIELDS: ReadonlyMap<string, string> = new Map([
  ['ServiceAccount', 'serviceAccount'],
  ['User', 'user'],
  ['Group', 'group'],
]);

function validateSubject(subject: JsonRecord, field: string): Errors {
  const kind = textOf(subject['kind']);
  const own = SUBJECT_FIELDS.get(kind);
  if (own === undefined) return [fieldNotSupported(`${field}.kind`, kind, [...SUBJECT_FIELDS.keys()].toSorted())];
  const named = subject[own];
  const others = [...SUBJECT_FIELDS].filter(([, name]) => name !== own && isRecord(subject[name]));
  return [
    ...(isRecord(named)
      ? validateNamed(named, kind, `${field}.${own}`)
      : [fieldRequired(`${field}.${own}`, `${own} is required when subject kind is '${kind}'`)]),
    ...others.map(([other, name]) =>
      fieldForbidden(`${field}.${name}`, `${name} is forbidden when subject kind is not '${other}'`),
    ),
  ];
}

function validateNamed({ name: value, namespace: space }: JsonRecord, kind: string, field: string): Errors {
  const name = textOf(value);
  const namespace = textOf(space);
  const missing = name === '' ? [fieldRequired(`${field}.name`)] : [];
  if (kind !== 'ServiceAccount') return missing;
  const complaints = name === '' || name === '*' ? [] : checkDnsSubdomain(name);
  return [
    ...missing,
    ...complaints.map((complaint) => fieldInvalid(`${field}.name`, name, complaint)),
    ...(namespace === ''
      ? [fieldRequired(`${field}.namespace`, 'must specify namespace for service account')]
      : checkDnsLabel(namespace).map((complaint) => fieldInvalid(`${field}.namespace`, namespace, complaint))),
  ];
}

function validatePathRule(rule: JsonRecord, field: string): Errors {
  const paths = textsOf(rule['nonResourceURLs']);
  return [
    ...validateVerbs(textsOf(rule['verbs']), `${field}.verbs`),
    ...(paths.length === 0
      ? [fieldRequired(`${field}.nonResourceURLs`, 'nonResourceURLs must contain at least one value')]
      : alone(paths, `${field}.nonResourceURLs`, 'non-resource URLs')),
    ...(paths.includes('*')
      ? []
      : itemErrors(paths, (path, index) =>
          checkUrlPath(path).map((complaint) => fieldInvalid(`${field}.nonResourceURLs[${index}]`, path, complaint)),
        )),
  ];
}

function validateResourceRule(rule: JsonRecord, field: string): Errors {
  const groups = textsOf(rule['apiGroups']);
  const resources = textsOf(rule['resources']);
  return [
    ...validateVerbs(textsOf(rule['verbs']), `${field}.verbs`),
    ...(groups.length === 0
      ? [fieldRequired(`${field}.apiGroups`, 'resource rules must supply at least one api group')]
      : alone(groups, `${field}.apiGroups`, 'api groups')),
    ...(resources.length === 0
      ? [fieldRequired(`${field}.resources`, 'resource rules must supply at least one resource')]
      : alone(resources, `${field}.resources`, 'resources')),
    ...validateNamespaces(textsOf(rule['namespaces']), rule['clusterScope'] === true, `${field}.namespaces`),
  ];
}

function validateNamespaces(namespaces: readonly string[], isOfCluster: boolean, field: string): Errors {
  if (namespaces.length === 0 && !isOfCluster) {
    return [fieldRequired(field, 'resource rules that are not cluster scoped must supply at least one namespace')];
  }
  if (namespaces.includes('*')) return alone(namespaces, field, 'namespaces');
  return itemErrors(namespaces, (namespace, index) =>
    checkDnsLabel(namespace).map((complaint) =>
      fieldInvalid(
        `${field}[${index}]`,
        namespace,
        `each member of this list must be '*' or a DNS-1123 label; ${complaint}`,
      ),
    ),
  );
}

function validateVerbs(verbs: readonly string[], field: string): Errors {
  if (verbs.length === 0) return [fieldRequired(field, 'verbs must contain at least one value')];
  if (verbs.includes('*')) return alone(verbs, field, 'verbs');
  return verbs.every((verb) => VERBS.includes(verb)) ? [] : [fieldNotSupported(field, verbs, VERBS)];
}

/** A wildcard must be the only item of its list. */
function alone(values: readonly string[], field: string, what: string): Errors {
  const detail = `if '*' is present, must not specify other ${what}`;
  return values.length > 1 && values.includes('*') ? [fieldInvalid(field, values, detail)] : [];
}

function checkUrlPath(path: string): readonly string[] {
  if (path === '') return ['must not be empty'];
  if (path === '/') return [];
  if (!path.startsWith('/')) return ['must start with slash'];
  if (path.includes(' ')) return ['must not contain white-space'];
  if (path.includes('//')) return ['must not contain double slash'];
  const stars = path.split('*').length - 1;
  return stars > 1 || (stars === 1 && !path.endsWith('/*')) ? ['wildcard can only do suffix matching'] : [];
}

/** Checks the conditions in a status: each type once. */
export function validateConditionTypes(status: unknown): Errors {
  const seen = new Set<string>();
  return itemErrors(recordsOf(recordOf(status)['conditions']), (condition, index) => {
    const type = textOf(condition['type']);
    const again = seen.has(type);
    seen.add(type);
    const field = `status.conditions[${index}].type`;
    return [...(again ? [fieldDuplicate(field, type)] : []), ...(type === '' ? [fieldRequired(field)] : [])];
  });
}

function textsOf(value: unknown): readonly string[] {
  return listOf(value).map(textOf);
}
