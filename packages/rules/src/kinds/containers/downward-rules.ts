/** The rules of the downward API: fields of the pod in variables and files of its containers. */

import { checkQualifiedName, type FieldError, fieldInvalid, fieldNotSupported, fieldRequired } from '@listwatch/api';
import { canonicalQuantity, type JsonRecord, numberOf, quantitySign, textOf } from '@listwatch/api/values';

type Errors = readonly FieldError[];

/** The fields that a variable can show. */
export const ENV_FIELDS: readonly string[] = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];

/** Fields that only files can show as a whole. */
const MAPS: readonly string[] = ['metadata.annotations', 'metadata.labels'];

/** The fields that a file can show. */
export const FILE_FIELDS: readonly string[] = [...MAPS, 'metadata.name', 'metadata.namespace', 'metadata.uid'];

/** The rules for a `fieldRef`. */
export function validateFieldRef(
  { apiVersion, fieldPath }: JsonRecord,
  field: string,
  fields: readonly string[],
): Errors {
  const path = textOf(fieldPath);
  const version = textOf(apiVersion);
  const place = `${field}.fieldPath`;
  if (version === '') return [fieldRequired(`${field}.apiVersion`)];
  if (path === '') return [fieldRequired(place)];
  const wrong = (why: string): Errors => [fieldInvalid(place, path, `error converting fieldPath: ${why}`)];
  if (version !== 'v1') return wrong(`unsupported pod version: ${version}`);
  const [, map = '', key] = /^([^[]*)\['(.*)'\]$/.exec(path) ?? [];
  if (MAPS.includes(map) && key !== undefined) {
    const name = map === 'metadata.annotations' ? key.toLowerCase() : key;
    return checkQualifiedName(name).map((complaint) => fieldInvalid(field, name, complaint));
  }
  if (fields.includes(path)) return [];
  return MAPS.includes(path) || ENV_FIELDS.includes(path)
    ? [fieldNotSupported(place, path, fields)]
    : wrong(`field label not supported: ${path}`);
}

const RESOURCES = ['cpu', 'ephemeral-storage', 'memory']
  .flatMap((name) => [`limits.${name}`, `requests.${name}`])
  .toSorted();
const UNITS = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei'];
const DIVISORS: readonly (readonly [prefix: RegExp, allowed: readonly string[], what: string])[] = [
  [/^(?:limits|requests)\.cpu$/, ['1m', '1'], 'cpu'],
  [/^(?:limits|requests)\.memory$/, UNITS, 'memory'],
  [/^(?:limits|requests)\.ephemeral-storage$/, UNITS, 'local ephemeral storage'],
  [/^(?:limits|requests)\.hugepages-/, UNITS, 'hugepages'],
];

/** The rules for a `resourceFieldRef`; in a file it must name its container. */
export function validateResourceRef(reference: JsonRecord, field: string, isFile: boolean): Errors {
  const name = textOf(reference['resource']);
  return [...validateName(reference, name, field, isFile), ...validateDivisor(reference['divisor'], name, field)];
}

function validateName({ containerName }: JsonRecord, name: string, field: string, isFile: boolean): Errors {
  if (isFile && textOf(containerName) === '') return [fieldRequired(`${field}.containerName`)];
  if (name === '') return [fieldRequired(`${field}.resource`)];
  if (RESOURCES.includes(name) || /^(?:limits|requests)\.hugepages-/.test(name)) return [];
  return [fieldNotSupported(`${field}.resource`, name, RESOURCES)];
}

function validateDivisor(divisor: unknown, name: string, field: string): Errors {
  if (divisor === undefined || quantitySign(divisor) === 0) return [];
  const [, allowed, what] = DIVISORS.find(([prefix]) => prefix.test(name)) ?? [];
  if (allowed === undefined || allowed.includes(canonicalQuantity(textOf(divisor) || `${numberOf(divisor)}`)))
    return [];
  const list = what === 'cpu' ? '1m and 1' : allowed.join(', ');
  return [
    fieldInvalid(`${field}.divisor`, name, `only divisor's values ${list} are supported with the ${what} resource`),
  ];
}
