/** The rules for the status of a pod, which a kubelet writes. */

import {
  checkDnsLabel,
  checkDnsSubdomain,
  checkQualifiedName,
  type FieldError,
  fieldDuplicate,
  fieldForbidden,
  fieldInternal,
  fieldInvalid,
  fieldRequired,
} from '@listwatch/api';
import { ipFamily, type JsonRecord, numberOf, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import type { KubeObject } from '../../kube-object.ts';
import { checkIp } from '../../validation/ip-rules.ts';
import { itemErrors } from '../../validation/item-errors.ts';
import { named } from '../../validation/value-rules.ts';

type Errors = readonly FieldError[];

/** Checks a change of a pod's status. */
export function validatePodStatus(object: KubeObject, old: KubeObject): Errors {
  const status = recordOf(object['status']);
  const before = recordOf(old['status']);
  return [
    ...validateConditions(status['conditions']),
    ...validateNomination(textOf(status['nominatedNodeName']), textOf(before['nominatedNodeName']), old),
    ...notNegative(status, 'status'),
    ...validateClaimStatuses(status['resourceClaimStatuses'], recordOf(object['spec'])),
    ...validateExtendedClaim(status['extendedResourceClaimStatus'], recordOf(object['spec'])),
    ...validateAddresses(status['podIPs'], before['podIPs'], 'status.podIPs'),
    ...validateHost(status),
    ...validateAddresses(status['hostIPs'], before['hostIPs'], 'status.hostIPs'),
  ];
}

const SYSTEM_CONDITIONS = ['PodScheduled', 'Ready', 'Initialized'];

function validateConditions(value: unknown): Errors {
  return itemErrors(recordsOf(value), (condition, index) => {
    const field = `status.conditions[${index}]`;
    const type = textOf(condition['type']);
    const complaints = SYSTEM_CONDITIONS.includes(type) ? [] : checkQualifiedName(type);
    return [...notNegative(condition, field), ...complaints.map((why) => fieldInvalid(`${field}.Type`, type, why))];
  });
}

function notNegative({ observedGeneration }: JsonRecord, field: string): Errors {
  const generation = numberOf(observedGeneration);
  if (generation >= 0) return [];
  return [fieldInvalid(`${field}.observedGeneration`, generation, 'must be a non-negative integer')];
}

function validateNomination(name: string, before: string, old: KubeObject): Errors {
  if (name === before || name === '') return [];
  const field = 'status.nominatedNodeName';
  const isBound = textOf(recordOf(old['spec'])['nodeName']) !== '';
  return [
    ...named(name, checkDnsSubdomain, field),
    ...(isBound ? [fieldForbidden(field, 'may not be set on pods that are already bound to a node')] : []),
  ];
}

function validateClaimStatuses(value: unknown, spec: JsonRecord): Errors {
  const known = new Set(recordsOf(spec['resourceClaims']).map(({ name }) => textOf(name)));
  const seen = new Set<string>();
  return itemErrors(recordsOf(value), (status, index) => {
    const field = `status.resourceClaimStatuses[${index}]`;
    const name = textOf(status['name']);
    const twice = seen.has(name);
    seen.add(name);
    const { resourceClaimName: claim } = status;
    const complaints = claim === undefined ? [] : checkDnsSubdomain(textOf(claim));
    return [
      ...(known.has(name)
        ? []
        : [fieldInvalid(`${field}.name`, name, 'must match the name of an entry in `spec.resourceClaims`')]),
      ...(twice ? [fieldDuplicate(`${field}.name`, name)] : []),
      ...complaints.map((why) => fieldInvalid(`${field}.resourceClaimName`, claim, why)),
    ];
  });
}

/** Which request of the claim stands for which resource of which container. */
function validateExtendedClaim(value: unknown, spec: JsonRecord): Errors {
  if (value === undefined || value === null) return [];
  const { requestMappings, resourceClaimName: claim } = recordOf(value);
  const field = 'status.extendedResourceClaimStatus';
  const containers = ['initContainers', 'containers'].flatMap((list) => recordsOf(spec[list]));
  const requested = new Map(
    containers.map(({ name, resources }) => [textOf(name), recordOf(recordOf(resources)['requests'])]),
  );
  const mappings = recordsOf(requestMappings);
  const seen = new Set<string>();
  const missing = fieldRequired(`${field}.requestMappings`, 'at least one request mapping is required');
  return [
    ...(mappings.length === 0 ? [missing] : []),
    ...itemErrors(mappings, (mapping, index) => {
      const place = `${field}.requestMappings[${index}]`;
      const { containerName, resourceName, requestName } = mapping;
      const key = JSON.stringify([containerName, resourceName, requestName]);
      const isTwice = seen.has(key);
      seen.add(key);
      return [
        ...mappedErrors(requested.get(textOf(containerName)), mapping, place),
        ...checkDnsLabel(textOf(requestName)).map((why) => fieldInvalid(`${field}.requestName`, requestName, why)),
        ...(isTwice
          ? ['containerName', 'resourceName', 'requestName'].map((one) =>
              fieldDuplicate(`${place}.${one}`, mapping[one]),
            )
          : []),
      ];
    }),
    ...(textOf(claim) === ''
      ? [fieldRequired(`${field}.resourceClaimName`)]
      : named(claim, checkDnsSubdomain, `${field}.resourceClaimName`)),
  ];
}

function mappedErrors(requests: JsonRecord | undefined, mapping: JsonRecord, place: string): Errors {
  const { containerName, resourceName } = mapping;
  if (requests === undefined) {
    const why = 'must match the name of an entry in spec.initContainers.name or spec.containers.name';
    return [fieldInvalid(`${place}.containerName`, containerName, why)];
  }
  if (Object.hasOwn(requests, textOf(resourceName))) return [];
  const why =
    'must match the extended resource name of an entry in spec.initContainers.resources.requests or spec.containers.resources.requests';
  return [fieldInvalid(`${place}.resourceName`, resourceName, why)];
}

function validateHost({ hostIP, hostIPs }: JsonRecord): Errors {
  const [first] = recordsOf(hostIPs);
  if (first === undefined || textOf(first['ip']) === textOf(hostIP)) return [];
  return [fieldInvalid('status.hostIPs[0].ip', textOf(first['ip']), 'must be equal to `hostIP`')];
}

/** At most one address of each family. Wrong ones that are stored may stay. */
function validateAddresses(value: unknown, old: unknown, field: string): Errors {
  const ips = recordsOf(value).map(({ ip }) => textOf(ip));
  const stored = new Set(recordsOf(old).map(({ ip }) => textOf(ip)));
  const errors = itemErrors(ips, (ip, index) =>
    stored.has(ip) ? [] : checkIp(ip).map((why) => fieldInvalid(`${field}[${index}]`, ip, why)),
  );
  if (ips.length < 2) return errors;
  const families = ips.map(ipFamily);
  const wrong = families.indexOf(undefined);
  const isPair = wrong === -1 && new Set(families).size === 2;
  return [
    ...errors,
    ...(wrong === -1
      ? []
      : [fieldInternal(field, `failed to check for dual stack with error:invalid IP[${wrong}]: ${ips[wrong] ?? ''}`)]),
    ...(isPair && ips.length === 2
      ? []
      : [fieldInvalid(field, value, 'may specify no more than one IP for each IP family')]),
  ];
}
