/** Validates Services. */

import {
  checkDnsSubdomain,
  checkQualifiedName,
  type FieldError,
  fieldDuplicate,
  fieldForbidden,
  fieldInvalid,
  fieldRequired,
  validateLabels,
} from '@listwatch/api';
import { type JsonRecord, listOf, numberOf, recordOf, recordsOf, textOf, textRecordOf } from '@listwatch/api/values';
import type { KubeObject } from '../../kube-object.ts';
import { itemErrors } from '../../validation/item-errors.ts';
import { checkPortName, oneOf, requiredLabel, validatePortNumber } from '../../validation/value-rules.ts';
import { HEADLESS } from './cluster-ip-allocator.ts';
import { validateClusterIps } from './service-family-rules.ts';
import { validateAffinityTimeout, validateTraffic } from './service-traffic-rules.ts';

type Errors = readonly FieldError[];

/** The rules for a service. */
export function validateService(object: KubeObject): Errors {
  const spec = recordOf(object['spec']);
  const external = spec['type'] === 'ExternalName';
  const headless = isHeadless(spec);
  const { ports } = spec;
  return [
    ...(recordsOf(ports).length === 0 && !headless && !external ? [fieldRequired('spec.ports')] : []),
    ...(external ? validateExternalName(spec) : []),
    ...(headless && ['LoadBalancer', 'NodePort'].includes(textOf(spec['type']))
      ? [fieldInvalid('spec.clusterIPs[0]', HEADLESS, `may not be set to 'None' for ${textOf(spec['type'])} services`)]
      : []),
    ...validatePorts(recordsOf(ports)),
    ...validateLabels(textRecordOf(spec['selector']), 'spec.selector'),
    ...oneOf(spec['sessionAffinity'], ['ClientIP', 'None'], 'spec.sessionAffinity'),
    ...validateAffinityTimeout(spec),
    ...validateClusterIps(spec),
    ...oneOf(spec['type'], ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'], 'spec.type'),
    ...(spec['type'] === 'ClusterIP' ? noNodePorts(recordsOf(ports)) : []),
    ...twice(recordsOf(ports)),
    ...validateTraffic(spec),
  ];
}

/** The types of services that have a cluster IP. */
const ADDRESSED: ReadonlySet<string> = new Set(['ClusterIP', 'LoadBalancer', 'NodePort']);

/** The rules for an update: the primary cluster IP is immutable. */
export function validateServiceChange(object: KubeObject, oldObject: KubeObject): Errors {
  const spec = recordOf(object['spec']);
  const old = recordOf(oldObject['spec']);
  const { loadBalancerClass: name } = spec;
  const isBalanced = spec['type'] === 'LoadBalancer' && old['type'] === 'LoadBalancer';
  const renamed =
    isBalanced && name !== old['loadBalancerClass']
      ? [fieldInvalid('spec.loadBalancerClass', name ?? null, 'may not change once set')]
      : [];
  return [...renamed, ...validateAddressChange(spec, old)];
}

/** The primary cluster IP cannot change while both types need one. */
function validateAddressChange(spec: JsonRecord, old: JsonRecord): Errors {
  if (![spec, old].every(({ type }) => ADDRESSED.has(textOf(type)))) return [];
  const ips = listOf(spec['clusterIPs']);
  const [had] = listOf(old['clusterIPs']);
  if (had === undefined) return [];
  if (ips.length === 0) return [fieldInvalid('spec.clusterIPs[0]', ips, 'primary clusterIP can not be unset')];
  return ips[0] === had ? [] : [fieldInvalid('spec.clusterIPs[0]', ips, 'may not change once set')];
}

function isHeadless(spec: JsonRecord): boolean {
  return listOf(spec['clusterIPs'])[0] === HEADLESS;
}

function validateExternalName(spec: JsonRecord): Errors {
  const name = textOf(spec['externalName']).replace(/\.$/, '');
  const field = 'spec.externalName';
  return [
    ...['clusterIPs', 'ipFamilies', 'ipFamilyPolicy']
      .filter((part) => spec[part] !== undefined)
      .map((part) => fieldForbidden(`spec.${part}`, 'may not be set for ExternalName services')),
    ...(name === '' ? [fieldRequired(field)] : checkDnsSubdomain(name).map((why) => fieldInvalid(field, name, why))),
  ];
}

function validatePorts(ports: readonly JsonRecord[]): Errors {
  const seen = new Set<string>();
  return itemErrors(ports, (port, index) => {
    const field = `spec.ports[${index}]`;
    const name = textOf(port['name']);
    const again = name !== '' && seen.has(name);
    seen.add(name);
    const { appProtocol } = port;
    return [
      ...(name === '' && ports.length === 1 ? [] : requiredLabel(name, `${field}.name`)),
      ...(again ? [fieldDuplicate(`${field}.name`, name)] : []),
      ...validatePortNumber(numberOf(port['port']), `${field}.port`),
      ...oneOf(port['protocol'], ['SCTP', 'TCP', 'UDP'], `${field}.protocol`),
      ...validateTarget(port['targetPort'], `${field}.targetPort`),
      ...(typeof appProtocol === 'string'
        ? checkQualifiedName(appProtocol).map((why) => fieldInvalid(`${field}.appProtocol`, appProtocol, why))
        : []),
    ];
  });
}

function validateTarget(target: unknown, field: string): Errors {
  if (typeof target === 'string') return checkPortName(target).map((why) => fieldInvalid(field, target, why));
  return validatePortNumber(numberOf(target), field);
}

function noNodePorts(ports: readonly JsonRecord[]): Errors {
  return itemErrors(ports, ({ nodePort }, index) => {
    if (numberOf(nodePort) === 0) return [];
    return [fieldForbidden(`spec.ports[${index}].nodePort`, "may not be used when `type` is 'ClusterIP'")];
  });
}

function twice(ports: readonly JsonRecord[]): Errors {
  const seen = new Set<string>();
  return itemErrors(ports, ({ protocol, port, nodePort }, index) => {
    const keys = {
      port: `${textOf(protocol)} ${numberOf(port)}`,
      node: `${textOf(protocol)} on nodes ${numberOf(nodePort)}`,
    };
    const errors: FieldError[] = [];
    if (numberOf(nodePort) !== 0 && seen.has(keys.node)) {
      errors.push(fieldDuplicate(`spec.ports[${index}].nodePort`, nodePort));
    }
    if (seen.has(keys.port)) errors.push(fieldDuplicate(`spec.ports[${index}]`, { protocol, port, targetPort: 0 }));
    seen.add(keys.port).add(keys.node);
    return errors;
  });
}
