/** EndpointSlice: some of the addresses behind a Service. */

import { isIPv4, isIPv6 } from 'node:net';
import { checkDnsSubdomain, type FieldError, fieldInvalid, fieldRequired } from '@listwatch/api';
import { shortList, validateEndpointIp } from '../endpoint-address.ts';
import { immutable } from '../immutable-field.ts';
import { itemErrors } from '../item-errors.ts';
import type { KindRules } from '../kind-rules.ts';
import type { KubeObject } from '../resource-definition.ts';
import { extended, type JsonRecord, listOf, numberOf, recordsOf, sameJson, textOf } from '../shapes/json-value.ts';
import { column, namedTable } from '../table-column.ts';
import { oneOf, validatePortNumber } from '../value-rules.ts';

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
      shortList(
        recordsOf(ports).map(({ port }) => (port === undefined ? '*' : String(numberOf(port)))),
        '<unset>',
      ),
      shortList(
        recordsOf(endpoints).flatMap(({ addresses }) => listOf(addresses).map(textOf)),
        '<unset>',
      ),
    ],
  ),
  applyDefaults,
  validate,
  validateChange: (object, old) => immutable('addressType', object['addressType'], old['addressType']),
  strategy: {
    allowsCreateOnUpdate: false,
    raisesGeneration: (object, old) =>
      !sameJson(
        [object['endpoints'], object['ports'], object.metadata.labels ?? {}],
        [old['endpoints'], old['ports'], old.metadata.labels ?? {}],
      ),
  },
};

function applyDefaults(object: KubeObject): KubeObject {
  if (recordsOf(object['ports']).length === 0) return object;
  const ports = recordsOf(object['ports']).map((port) =>
    extended(port, { name: textOf(port['name']), protocol: textOf(port['protocol']) || 'TCP' }),
  );
  return { ...object, ports };
}

const TYPES = ['FQDN', 'IPv4', 'IPv6'];

function validate(object: KubeObject): readonly FieldError[] {
  const type = textOf(object['addressType']);
  const ports = recordsOf(object['ports']);
  const endpoints = recordsOf(object['endpoints']);
  return [
    ...oneOf(type, TYPES, 'addressType'),
    ...itemErrors(endpoints, ({ addresses }, index) =>
      validateAddresses(type, addresses, `endpoints[${index}].addresses`),
    ),
    ...itemErrors(ports, (port, index) => validatePort(port, `ports[${index}]`)),
  ];
}

function validateAddresses(type: string, value: unknown, field: string): readonly FieldError[] {
  const addresses = listOf(value).map(textOf);
  if (addresses.length === 0) return [fieldRequired(field, 'must contain at least 1 address')];
  const wrongType = itemErrors(addresses, (address) => {
    if (type === 'IPv4' && !isIPv4(address)) return [fieldInvalid(field, address, 'must be an IPv4 address')];
    if (type === 'IPv6' && !isIPv6(address)) return [fieldInvalid(field, address, 'must be an IPv6 address')];
    return [];
  });
  const special = itemErrors(addresses, (address, index) =>
    type === 'FQDN'
      ? checkDnsSubdomain(address).map((why) => fieldInvalid(`${field}[${index}]`, address, why))
      : validateEndpointIp(address, `${field}[${index}]`),
  );
  return TYPES.includes(type) ? [...wrongType, ...special] : [];
}

function validatePort({ port, protocol }: JsonRecord, field: string): readonly FieldError[] {
  return [
    ...(port === undefined ? [] : validatePortNumber(numberOf(port), `${field}.port`)),
    ...oneOf(protocol, ['SCTP', 'TCP', 'UDP'], `${field}.protocol`),
  ];
}
