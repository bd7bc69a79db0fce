/** Validates Ingresses. */

import {
  checkDnsLabel,
  checkDnsSubdomain,
  DNS_SUBDOMAIN_MAX,
  type FieldError,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
  patternText,
  tooLongText,
} from '@listwatch/api';
import { isRecord, type JsonRecord, listOf, numberOf, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import type { KubeObject } from '../../kube-object.ts';
import { checkIp, legacyIp } from '../../validation/ip-rules.ts';
import { itemErrors } from '../../validation/item-errors.ts';
import { validateTypedReference } from '../../validation/reference-rules.ts';
import { checkPortName, named, validatePortNumber } from '../../validation/value-rules.ts';

type Errors = readonly FieldError[];

/** The rules for the spec of an Ingress. */
export function validateIngress(object: KubeObject): Errors {
  const spec = recordOf(object['spec']);
  const { defaultBackend, ingressClassName } = spec;
  const rules = recordsOf(spec['rules']);
  return [
    ...(rules.length === 0 && !isRecord(defaultBackend)
      ? [fieldInvalid('spec', null, 'either `defaultBackend` or `rules` must be specified')]
      : []),
    ...(isRecord(defaultBackend) ? validateBackend(defaultBackend, 'spec.defaultBackend') : []),
    ...itemErrors(rules, (rule, index) => validateRule(rule, `spec.rules[${index}]`)),
    ...itemErrors(recordsOf(spec['tls']), (tls, index) => validateTls(tls, `spec.tls[${index}]`)),
    ...(typeof ingressClassName === 'string'
      ? complaints(checkDnsSubdomain(ingressClassName), 'spec.ingressClassName', ingressClassName)
      : []),
  ];
}

/** A new Ingress may have the class annotation and the class field only if both name the same class. */
export function validateClassAnnotation(object: KubeObject): Errors {
  const annotation = object.metadata.annotations?.[CLASS_ANNOTATION];
  const { ingressClassName } = recordOf(object['spec']);
  if (annotation === undefined || typeof ingressClassName !== 'string' || annotation === ingressClassName) return [];
  const detail = 'must match `ingressClassName` when both are specified';
  return [fieldInvalid(`annotations.${CLASS_ANNOTATION}`, annotation, detail)];
}

const CLASS_ANNOTATION = 'kubernetes.io/ingress.class';

/** The rules for the addresses in the status of an Ingress. */
export function validateIngressStatus(object: KubeObject): Errors {
  const points = recordsOf(recordOf(recordOf(object['status'])['loadBalancer'])['ingress']);
  return itemErrors(points, ({ ip, hostname }, index) => {
    const field = `status.loadBalancer.ingress[${index}]`;
    return [...named(ip, checkIp, `${field}.ip`), ...named(hostname, checkHostname, `${field}.hostname`)];
  });
}

function validateRule(rule: JsonRecord, field: string): Errors {
  const host = textOf(rule['host']);
  const { http } = rule;
  const paths = recordsOf(recordOf(http)['paths']);
  return [
    ...(host === '' ? [] : validateHost(host, `${field}.host`)),
    ...(isRecord(http) && paths.length === 0 ? [fieldRequired(`${field}.http.paths`)] : []),
    ...itemErrors(paths, (path, index) => validatePath(path, `${field}.http.paths[${index}]`)),
  ];
}

const NO_ADDRESS = 'must be a DNS name, not an IP address';

function validateHost(host: string, field: string): Errors {
  return [
    ...(legacyIp(host) === undefined ? [] : [fieldInvalid(field, host, NO_ADDRESS)]),
    ...complaints(checkHostPattern(host), field, host),
  ];
}

function checkHostname(host: string): readonly string[] {
  return [...checkDnsSubdomain(host), ...(legacyIp(host) === undefined ? [] : [NO_ADDRESS])];
}

/** A host name; its first label may be a wildcard. */
function checkHostPattern(host: string): readonly string[] {
  if (!host.includes('*')) return checkDnsSubdomain(host);
  const rest = host.slice(2);
  const legal = host.startsWith('*.') && (rest.length > DNS_SUBDOMAIN_MAX || checkDnsSubdomain(rest).length === 0);
  return [
    ...(host.length > DNS_SUBDOMAIN_MAX ? [tooLongText(DNS_SUBDOMAIN_MAX, 'characters')] : []),
    ...(legal ? [] : [patternText(WILDCARD_RULE, WILDCARD, ['*.example.com'])]),
  ];
}

const WILDCARD = String.raw`\*\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*`;
const WILDCARD_RULE =
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character";

function validateTls(tls: JsonRecord, field: string): Errors {
  return [
    ...itemErrors(listOf(tls['hosts']).map(textOf), (host, index) =>
      complaints(checkHostPattern(host), `${field}.hosts[${index}]`, host),
    ),
    ...named(tls['secretName'], checkDnsSubdomain, `${field}.secretName`),
  ];
}

const PATH_TYPES = ['Exact', 'ImplementationSpecific', 'Prefix'];

function validatePath(item: JsonRecord, field: string): Errors {
  const { pathType } = item;
  if (typeof pathType !== 'string') return [fieldRequired(`${field}.pathType`, 'pathType must be specified')];
  const path = textOf(item['path']);
  const wrong = PATH_TYPES.includes(pathType)
    ? complaints(checkPath(path, pathType), `${field}.path`, path)
    : [fieldNotSupported(`${field}.pathType`, pathType, PATH_TYPES)];
  return [...wrong, ...validateBackend(recordOf(item['backend']), `${field}.backend`)];
}

function checkPath(path: string, type: string): readonly string[] {
  const absolute = path.startsWith('/') ? [] : ['must be an absolute path'];
  if (type === 'ImplementationSpecific') return path === '' ? [] : absolute;
  return [
    ...absolute,
    ...['//', '/./', '/../', '%2f', '%2F']
      .filter((part) => path.includes(part))
      .map((part) => `must not contain '${part}'`),
    ...['/..', '/.'].filter((end) => path.endsWith(end)).map((end) => `cannot end with '${end}'`),
  ];
}

function validateBackend({ resource, service }: JsonRecord, field: string): Errors {
  if (isRecord(resource) && isRecord(service)) {
    return [fieldInvalid(field, '', 'cannot set both resource and service backends')];
  }
  if (isRecord(resource)) return validateTypedReference(resource, `${field}.resource`);
  if (!isRecord(service)) return [fieldInvalid(field, '', 'resource or service backend is required')];
  const name = textOf(service['name']);
  return [
    ...(name === ''
      ? [fieldRequired(`${field}.service.name`)]
      : complaints(checkDnsLabel(name), `${field}.service.name`, name)),
    ...validateServicePort(recordOf(service['port']), field),
  ];
}

function validateServicePort(port: JsonRecord, field: string): Errors {
  const name = textOf(port['name']);
  const number = numberOf(port['number']);
  if (name !== '' && number !== 0) return [fieldInvalid(field, '', 'cannot set both port name & port number')];
  if (name !== '') return complaints(checkPortName(name), `${field}.service.port.name`, name);
  if (number !== 0) return validatePortNumber(number, `${field}.service.port.number`);
  return [fieldRequired(field, 'port name or number is required')];
}

function complaints(found: readonly string[], field: string, value: string): Errors {
  return found.map((complaint) => fieldInvalid(field, value, complaint));
}
