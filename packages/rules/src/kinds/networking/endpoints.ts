/** Endpoints: the addresses behind a Service. EndpointSlice has taken its place. */

import {
  checkDnsLabel,
  checkDnsSubdomain,
  checkQualifiedName,
  type FieldError,
  fieldInvalid,
  fieldRequired,
} from '@listwatch/api';
import { extended, ipFamily, type JsonRecord, numberOf, recordsOf, textOf } from '@listwatch/api/values';
import { column, namedTable } from '../../columns/table-column.ts';
import type { KubeObject } from '../../kube-object.ts';
import type { KindRules } from '../../strategy/kind-rules.ts';
import { itemErrors } from '../../validation/item-errors.ts';
import { named, oneOf, requiredLabel, validatePortNumber } from '../../validation/value-rules.ts';
import { shortList, validateEndpointIp } from './endpoint-address.ts';

/** The rules of Endpoints. */
export const endpoints: KindRules = {
  storagePrefix: 'services/endpoints',
  deprecation: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
  columns: namedTable([column('Endpoints', 'The addresses and ports that are ready.')], (object) => [
    shortList(recordsOf(object['subsets']).flatMap(shownAddresses), '<none>'),
  ]),
  applyDefaults,
  validate: (object) => itemErrors(recordsOf(object['subsets']), validateSubset),
  strategy: { allowsCreateOnUpdate: true },
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
    ...itemErrors(ready, (address, at) => validateAddress(address, `${field}.addresses[${at}]`)),
    ...itemErrors(notReady, (address, at) => validateAddress(address, `${field}.notReadyAddresses[${at}]`)),
    ...itemErrors(ports, (port, at) => validatePort(port, ports.length === 1, `${field}.ports[${at}]`)),
  ];
}

/** Kubernetes runs two checks, so text that is no address gets two errors. */
function validateAddress(address: JsonRecord, field: string): readonly FieldError[] {
  const why = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
  const ip = textOf(address['ip']);
  const node = address['nodeName'] === undefined ? undefined : textOf(address['nodeName']);
  return [
    ...(ipFamily(ip) === undefined ? [fieldInvalid(`${field}.ip`, ip, why)] : []),
    ...named(address['hostname'], checkDnsLabel, `${field}.hostname`),
    ...(node === undefined ? [] : checkDnsSubdomain(node)).map((complaint) =>
      fieldInvalid(`${field}.nodeName`, node, complaint),
    ),
    ...validateEndpointIp(ip, `${field}.ip`),
  ];
}

function validatePort(port: JsonRecord, isOnly: boolean, field: string): readonly FieldError[] {
  return [
    ...(isOnly && textOf(port['name']) === '' ? [] : requiredLabel(port['name'], `${field}.name`)),
    ...validatePortNumber(numberOf(port['port']), `${field}.port`),
    ...oneOf(port['protocol'], ['SCTP', 'TCP', 'UDP'], `${field}.protocol`),
    ...(port['appProtocol'] === undefined ? [] : checkQualifiedName(textOf(port['appProtocol']))).map((complaint) =>
      fieldInvalid(`${field}.appProtocol`, port['appProtocol'], complaint),
    ),
  ];
}

function shownAddresses({ addresses, ports }: JsonRecord): readonly string[] {
  const ips = recordsOf(addresses).map(({ ip }) => textOf(ip));
  const numbers = recordsOf(ports).map(({ port }) => numberOf(port));
  if (numbers.length === 0) return ips;
  return numbers.flatMap((port) => ips.map((ip) => (ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`)));
}
