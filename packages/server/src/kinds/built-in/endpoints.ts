/** Endpoints: the addresses behind a Service. EndpointSlice has taken its place. */

import { isIP } from 'node:net';
import { type FieldError, fieldInvalid, fieldRequired } from '@listwatch/api';
import { defineKind } from '../define-kind.ts';
import { shortList, validateEndpointIp } from '../endpoint-address.ts';
import { itemErrors } from '../item-errors.ts';
import type { KubeObject, ResourceDefinition } from '../resource-definition.ts';
import { extended, type JsonRecord, numberOf, recordsOf, textOf } from '../shapes/json-value.ts';
import { objectShape } from '../shapes/object-meta-shape.ts';
import { OBJECT_REFERENCE } from '../shapes/reference-shape.ts';
import { list, struct } from '../shapes/shape.ts';
import { column, namedTable } from '../table-column.ts';
import { oneOf, requiredLabel, validatePortNumber } from '../value-rules.ts';

const ADDRESS = struct('EndpointAddress', {
  'ip=1': 'string!',
  'hostname=3': 'string',
  'nodeName=4': '*string',
  'targetRef=2': OBJECT_REFERENCE,
});

const PORT = struct('EndpointPort', { name: 'string', port: 'int32!', protocol: 'string', appProtocol: '*string' });

const SUBSET = struct('EndpointSubset', {
  addresses: list(ADDRESS),
  notReadyAddresses: list(ADDRESS),
  ports: list(PORT),
});

/** The definition of Endpoints. */
export const endpoints: ResourceDefinition = {
  ...defineKind({
    resource: { plural: 'endpoints', kind: 'Endpoints' },
    shortNames: ['ep'],
    storagePrefix: 'services/endpoints',
    shape: objectShape('Endpoints', { subsets: list(SUBSET) }),
    columns: namedTable([column('Endpoints', 'The addresses and ports that are ready.')], (object) => [
      shortList(recordsOf(object['subsets']).flatMap(shownAddresses), '<none>'),
    ]),
    applyDefaults,
    validate: (object) => itemErrors(recordsOf(object['subsets']), validateSubset),
    strategy: { allowsCreateOnUpdate: true },
  }),
  deprecation: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
};

function applyDefaults(object: KubeObject): KubeObject {
  if (object['subsets'] === undefined) return object;
  const subsets = recordsOf(object['subsets']).map((subset) =>
    subset['ports'] === undefined
      ? subset
      : extended(subset, {
          ports: recordsOf(subset['ports']).map((port) =>
            extended(port, { protocol: textOf(port['protocol']) || 'TCP' }),
          ),
        }),
  );
  return { ...object, subsets };
}

function validateSubset(subset: JsonRecord, index: number): readonly FieldError[] {
  const field = `subsets[${index}]`;
  const ready = recordsOf(subset['addresses']);
  const notReady = recordsOf(subset['notReadyAddresses']);
  const ports = recordsOf(subset['ports']);
  return [
    ...(ready.length + notReady.length === 0
      ? [fieldRequired(field, 'must specify `addresses` or `notReadyAddresses`')]
      : []),
    ...itemErrors(ready, ({ ip }, at) => validateAddress(textOf(ip), `${field}.addresses[${at}].ip`)),
    ...itemErrors(notReady, ({ ip }, at) => validateAddress(textOf(ip), `${field}.notReadyAddresses[${at}].ip`)),
    ...itemErrors(ports, (port, at) => validatePort(port, ports.length === 1, `${field}.ports[${at}]`)),
  ];
}

/** Kubernetes checks twice, and complains twice about what is no address. */
function validateAddress(ip: string, field: string): readonly FieldError[] {
  const why = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
  return [...(isIP(ip) === 0 ? [fieldInvalid(field, ip, why)] : []), ...validateEndpointIp(ip, field)];
}

function validatePort(port: JsonRecord, isOnly: boolean, field: string): readonly FieldError[] {
  return [
    ...(isOnly && textOf(port['name']) === '' ? [] : requiredLabel(port['name'], `${field}.name`)),
    ...validatePortNumber(numberOf(port['port']), `${field}.port`),
    ...oneOf(port['protocol'], ['SCTP', 'TCP', 'UDP'], `${field}.protocol`),
  ];
}

function shownAddresses({ addresses, ports }: JsonRecord): readonly string[] {
  const ips = recordsOf(addresses).map(({ ip }) => textOf(ip));
  const numbers = recordsOf(ports).map(({ port }) => numberOf(port));
  if (numbers.length === 0) return ips;
  return numbers.flatMap((port) => ips.map((ip) => (ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`)));
}
