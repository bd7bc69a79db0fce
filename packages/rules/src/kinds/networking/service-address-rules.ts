/** The rules for the external addresses of a Service, and for the source ranges of its clients. */

import { checkQualifiedName, type FieldError, fieldForbidden, fieldInvalid } from '@listwatch/api';
import { listOf, recordOf, sameJson, textOf } from '@listwatch/api/values';
import type { KubeObject } from '../../kube-object.ts';
import { checkAddressRange, checkIp } from '../../validation/ip-rules.ts';
import { itemErrors } from '../../validation/item-errors.ts';
import { validateEndpointIp } from './endpoint-address.ts';

type Errors = readonly FieldError[];

const RANGES = 'service.beta.kubernetes.io/load-balancer-source-ranges';

/** Checks new values only: a stored Service may keep invalid ones. */
export function validateServiceAddresses(object: KubeObject, old?: KubeObject): Errors {
  const [spec, before] = [recordOf(object['spec']), recordOf(old?.['spec'])];
  const isNew = (name: string): boolean => old === undefined || !sameJson(spec[name], before[name]);
  const { loadBalancerClass: name } = spec;
  return [
    ...(isNew('externalIPs') ? validateExternalIps(spec['externalIPs']) : []),
    ...(isNew('loadBalancerSourceRanges') ? validateRanges(spec['loadBalancerSourceRanges']) : []),
    ...validateRangesText(object, old),
    ...(isNew('loadBalancerClass') && spec['type'] === 'LoadBalancer' && name !== undefined
      ? checkQualifiedName(textOf(name)).map((why) => fieldInvalid('spec.loadBalancerClass', name, why))
      : []),
  ];
}

function validateExternalIps(value: unknown): Errors {
  return itemErrors(listOf(value).map(textOf), (ip, index) => {
    const field = `spec.externalIPs[${index}]`;
    const complaints = checkIp(ip);
    if (complaints.length > 0) return complaints.map((why) => fieldInvalid(field, ip, why));
    return validateEndpointIp(ip, field);
  });
}

function validateRanges(value: unknown): Errors {
  return itemErrors(listOf(value).map(textOf), (range, index) =>
    // Kubernetes trims spaces, which the older annotation allowed.
    rangeErrors(range.trim(), `spec.LoadBalancerSourceRanges[${index}]`),
  );
}

function validateRangesText({ metadata, spec }: KubeObject, old: KubeObject | undefined): Errors {
  const text = metadata.annotations?.[RANGES];
  const field = `metadata.annotations[${RANGES}]`;
  if (text === undefined || listOf(recordOf(spec)['loadBalancerSourceRanges']).length > 0) return [];
  const isKept = old?.metadata.annotations?.[RANGES] === text;
  return [
    ...(recordOf(spec)['type'] === 'LoadBalancer'
      ? []
      : [fieldForbidden(field, "may only be used when `type` is 'LoadBalancer'")]),
    ...(isKept || text.trim() === ''
      ? []
      : itemErrors(text.trim().split(','), (range) => rangeErrors(range.trim(), field))),
  ];
}

function rangeErrors(range: string, field: string): Errors {
  return checkAddressRange(range).map((why) => fieldInvalid(field, range, why));
}
