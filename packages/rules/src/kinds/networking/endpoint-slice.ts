/** EndpointSlice: a part of the endpoints of a Service. */

import {
  checkDnsLabel,
  checkDnsSubdomain,
  checkLabelValue,
  checkQualifiedName,
  type FieldError,
  fieldDuplicate,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
  fieldTooMany,
} from '@listwatch/api';
import {
  extended,
  isRecord,
  type JsonRecord,
  listOf,
  numberOf,
  recordsOf,
  sameJson,
  textOf,
} from '@listwatch/api/values';
import { filled } from '../../columns/filled-record.ts';
import { column, namedTable } from '../../columns/table-column.ts';
import type { KubeObject } from '../../kube-object.ts';
import type { KindRules } from '../../strategy/kind-rules.ts';
import { immutable } from '../../validation/immutable-field.ts';
import { checkCanonicalIp, checkIp, legacyIp } from '../../validation/ip-rules.ts';
import { itemErrors } from '../../validation/item-errors.ts';
import { oneOf } from '../../validation/value-rules.ts';
import { shortList, validateEndpointIp } from './endpoint-address.ts';

type Errors = readonly FieldError[];

/** The rules of EndpointSlice. */
export const endpointSlice: KindRules = {
  columns: namedTable(
    [
      column('AddressType', 'What the addresses are: IPv4, IPv6 or names.'),
      column('Ports', 'The ports of all endpoints.'),
      column('Endpoints', 'The addresses.'),
    ],
    ({ addressType, ports, endpoints }) => [
      textOf(addressType),
      shortList(recordsOf(ports).map(portText), '<unset>'),
      shortList(
        recordsOf(endpoints).flatMap(({ addresses }) => listOf(addresses).map(textOf)),
        '<unset>',
      ),
    ],
  ),
  applyDefaults,
  onCreate: withoutTopology,
  onUpdate: (object, old) => (sameJson(object['endpoints'], old['endpoints']) ? object : withoutTopology(object)),
  validate: (object) => [...validateRest(object), ...validateEndpoints(object)],
  validateUpdate: (object, old) => [
    ...validateRest(object),
    ...(sameJson(object['endpoints'], old['endpoints']) ? [] : validateEndpoints(object)),
    ...immutable('addressType', object['addressType'], old['addressType']),
  ],
  strategy: {
    raisesGeneration: (object, old) =>
      ['addressType', 'endpoints', 'ports'].some((name) => !sameJson(object[name], old[name])) ||
      !sameJson(object.metadata.labels ?? {}, old.metadata.labels ?? {}),
  },
};

function applyDefaults(object: KubeObject): KubeObject {
  const ports = recordsOf(object['ports']);
  if (ports.length === 0) return object;
  return extended(object, { ports: ports.map((port) => filled({ name: '', protocol: 'TCP' }, port)) });
}

/** Drops `deprecatedTopology`, which kept the topology of older API versions. */
function withoutTopology(object: KubeObject): KubeObject {
  const endpoints = recordsOf(object['endpoints']);
  if (!endpoints.some(({ deprecatedTopology }) => deprecatedTopology !== undefined)) return object;
  return extended(object, {
    endpoints: endpoints.map((endpoint) => extended(endpoint, { deprecatedTopology: undefined })),
  });
}

const PORTS_MAX = 20_000;
const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];

function validateRest(object: KubeObject): Errors {
  const ports = recordsOf(object['ports']);
  const type = oneOf(object['addressType'], ['FQDN', 'IPv4', 'IPv6'], 'addressType');
  if (ports.length > PORTS_MAX) return [...type, fieldTooMany('ports', ports.length, PORTS_MAX)];
  const seen = new Set<string>();
  const wrong = itemErrors(ports, (port, index) => {
    const name = textOf(port['name']);
    const again = seen.has(name);
    seen.add(name);
    const field = `ports[${index}]`;
    const { appProtocol } = port;
    const protocol = textOf(port['protocol']);
    return [
      ...(name === '' ? [] : labelErrors(name, `${field}.name`)),
      ...(again ? [fieldDuplicate(`${field}.name`, name)] : []),
      ...(PROTOCOLS.includes(protocol) ? [] : [fieldNotSupported(`${field}.protocol`, protocol, PROTOCOLS)]),
      ...(typeof appProtocol === 'string'
        ? checkQualifiedName(appProtocol).map((why) => fieldInvalid(`${field}.appProtocol`, appProtocol, why))
        : []),
    ];
  });
  return [...type, ...wrong];
}

const ENDPOINTS_MAX = 1000;

function validateEndpoints(object: KubeObject): Errors {
  const endpoints = recordsOf(object['endpoints']);
  if (endpoints.length > ENDPOINTS_MAX) return [fieldTooMany('endpoints', endpoints.length, ENDPOINTS_MAX)];
  return itemErrors(endpoints, (endpoint, index) =>
    validateEndpoint(endpoint, textOf(object['addressType']), `endpoints[${index}]`),
  );
}

const ADDRESSES_MAX = 100;

function validateEndpoint(endpoint: JsonRecord, type: string, field: string): Errors {
  const { hostname, nodeName, hints } = endpoint;
  const addresses = listOf(endpoint['addresses']).map(textOf);
  const at = `${field}.addresses`;
  return [
    ...(addresses.length === 0 ? [fieldRequired(at, 'must contain at least 1 address')] : []),
    ...(addresses.length > ADDRESSES_MAX ? [fieldTooMany(at, addresses.length, ADDRESSES_MAX)] : []),
    ...itemErrors(addresses, (address, index) => validateAddress(address, type, at, index)),
    ...(typeof nodeName === 'string' ? nameErrors(nodeName, `${field}.nodeName`) : []),
    ...(typeof hostname === 'string' ? labelErrors(hostname, `${field}.hostname`) : []),
    ...(isRecord(hints) ? validateHints(hints, `${field}.hints`) : []),
  ];
}

function validateAddress(address: string, type: string, field: string, index: number): Errors {
  const at = `${field}[${index}]`;
  if (type === 'FQDN') return validateDomain(address, at);
  if (type !== 'IPv4' && type !== 'IPv6') return [];
  const complaints = type === 'IPv4' ? checkIp(address) : checkCanonicalIp(address);
  if (complaints.length > 0) return complaints.map((complaint) => fieldInvalid(at, address, complaint));
  const isOfType = legacyIp(address)?.bits === (type === 'IPv4' ? 32 : 128);
  return [
    ...(isOfType ? [] : [fieldInvalid(field, address, `must be an ${type} address`)]),
    ...validateEndpointIp(address, at),
  ];
}

function validateDomain(text: string, field: string): Errors {
  if (text === '') return [fieldRequired(field)];
  const name = text.replace(/\.$/, '');
  const complaints = checkDnsSubdomain(name);
  if (complaints.length > 0) return [fieldInvalid(field, name, complaints.join(','))];
  const labels = name.split('.');
  if (labels.length < 2) {
    return [fieldInvalid(field, name, 'should be a domain with at least two segments separated by dots')];
  }
  const long = labels.find((label) => checkDnsLabel(label).length > 0);
  return long === undefined ? [] : [fieldInvalid(field, long, checkDnsLabel(long).join(','))];
}

const HINTS_MAX = 8;

function validateHints({ forZones, forNodes }: JsonRecord, field: string): Errors {
  const zones = validateHintNames(forZones, checkLabelValue, `${field}.forZones`);
  if (recordsOf(forZones).length > HINTS_MAX) return zones;
  return [...zones, ...validateHintNames(forNodes, checkDnsSubdomain, `${field}.forNodes`)];
}

function validateHintNames(value: unknown, check: (name: string) => readonly string[], field: string): Errors {
  const names = recordsOf(value).map(({ name }) => textOf(name));
  if (names.length > HINTS_MAX) return [fieldTooMany(field, names.length, HINTS_MAX)];
  return itemErrors(names, (name, index) => {
    const at = `${field}[${index}].name`;
    return [
      ...(names.indexOf(name) < index ? [fieldDuplicate(at, name)] : []),
      ...check(name).map((complaint) => fieldInvalid(at, name, complaint)),
    ];
  });
}

function labelErrors(name: string, field: string): Errors {
  return checkDnsLabel(name).map((complaint) => fieldInvalid(field, name, complaint));
}

function nameErrors(name: string, field: string): Errors {
  return checkDnsSubdomain(name).map((complaint) => fieldInvalid(field, name, complaint));
}

function portText({ port, name }: JsonRecord): string {
  if (port !== undefined) return String(numberOf(port));
  return typeof name === 'string' ? name : '*';
}
