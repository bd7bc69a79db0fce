/** The load balancer status of a Service, which a cloud provider writes. */

import {
  checkDnsSubdomain,
  type FieldError,
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from '@listwatch/api';
import { type JsonRecord, listOf, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import type { KubeObject } from '../../kube-object.ts';
import { checkIp, legacyIp } from '../../validation/ip-rules.ts';
import { itemErrors } from '../../validation/item-errors.ts';

type Errors = readonly FieldError[];

const MODES = ['Proxy', 'VIP'];
const FIELD = 'status.loadBalancer.ingress';

/** Sets the default `ipMode` of the addresses. */
export function withAddressModes(object: KubeObject): KubeObject {
  const status = recordOf(object['status']);
  const balancer = recordOf(status['loadBalancer']);
  const { ingress } = balancer;
  const isBalanced = recordOf(object['spec'])['type'] === 'LoadBalancer';
  if (!isBalanced || !listOf(ingress).some((one) => lacksMode(recordOf(one)))) return object;
  const modes = recordsOf(ingress).map((one) => (lacksMode(one) ? { ...one, ipMode: 'VIP' } : one));
  return { ...object, status: { ...status, loadBalancer: { ...balancer, ingress: modes } } };
}

function lacksMode({ ip, ipMode }: JsonRecord): boolean {
  return textOf(ip) !== '' && ipMode === undefined;
}

/** The rules for a changed status. Wrong addresses that are stored may stay. */
export function validateLoadBalancerStatus(object: KubeObject, old: KubeObject): Errors {
  const ingress = ingressOf(object);
  if (recordOf(object['spec'])['type'] !== 'LoadBalancer') {
    return ingress.length === 0 ? [] : [fieldForbidden(FIELD, "may only be used when `spec.type` is 'LoadBalancer'")];
  }
  const stored = new Set(ingressOf(old).map(({ ip }) => textOf(ip)));
  return itemErrors(ingress, (one, index) => {
    const field = `${FIELD}[${index}]`;
    const ip = textOf(one['ip']);
    const complaints = ip === '' || stored.has(ip) ? [] : checkIp(ip);
    return [
      ...complaints.map((why) => fieldInvalid(`${field}.ip`, ip, why)),
      ...validateMode(one['ipMode'], ip !== '', `${field}.ipMode`),
      ...validateHostname(textOf(one['hostname']), `${field}.hostname`),
    ];
  });
}

function ingressOf(object: KubeObject): readonly JsonRecord[] {
  return recordsOf(recordOf(recordOf(object['status'])['loadBalancer'])['ingress']);
}

function validateMode(mode: unknown, hasIp: boolean, field: string): Errors {
  if (mode === undefined) return hasIp ? [fieldRequired(field, 'must be specified when `ip` is set')] : [];
  if (!hasIp) return [fieldForbidden(field, 'may not be specified when `ip` is not set')];
  return MODES.includes(textOf(mode)) ? [] : [fieldNotSupported(field, mode, MODES)];
}

function validateHostname(name: string, field: string): Errors {
  if (name === '') return [];
  return [
    ...checkDnsSubdomain(name).map((why) => fieldInvalid(field, name, why)),
    ...(legacyIp(name) === undefined ? [] : [fieldInvalid(field, name, 'must be a DNS name, not an IP address')]),
  ];
}
