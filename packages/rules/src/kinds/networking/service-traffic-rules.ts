/** The rules for how traffic reaches a Service. */

import { type FieldError, fieldForbidden, fieldInvalid, fieldNotSupported } from '@listwatch/api';
import { isJsonNumber, type JsonRecord, listOf, numberOf, recordOf, textOf } from '@listwatch/api/values';
import { validatePortNumber } from '../../validation/value-rules.ts';

type Errors = readonly FieldError[];

const DAY_SECONDS = 86_400;

/** Checks the timeout of the session affinity `ClientIP`. */
export function validateAffinityTimeout(spec: JsonRecord): Errors {
  if (spec['sessionAffinity'] !== 'ClientIP') return [];
  const { timeoutSeconds } = recordOf(recordOf(spec['sessionAffinityConfig'])['clientIP']);
  if (!isJsonNumber(timeoutSeconds) || (timeoutSeconds > 0 && timeoutSeconds <= DAY_SECONDS)) return [];
  const field = 'spec.sessionAffinityConfig.clientIP.timeoutSeconds';
  return [fieldInvalid(field, timeoutSeconds, `must be greater than 0 and less than ${DAY_SECONDS}`)];
}

/** The values of both traffic policies. */
export const TRAFFIC_POLICIES: readonly string[] = ['Cluster', 'Local'];
const DISTRIBUTIONS = ['PreferClose', 'PreferSameZone', 'PreferSameNode'];

/** Checks fields that only some types of Services may set. */
export function validateTraffic(spec: JsonRecord): Errors {
  const { loadBalancerClass, healthCheckNodePort: port } = spec;
  const balanced = isBalanced(spec);
  const ranges = listOf(spec['loadBalancerSourceRanges']);
  const only = "may only be used when `type` is 'LoadBalancer'";
  return [
    ...(ranges.length > 0 && !balanced ? [fieldForbidden('spec.LoadBalancerSourceRanges', only)] : []),
    ...(spec['allocateLoadBalancerNodePorts'] !== undefined && !balanced
      ? [fieldForbidden('spec.allocateLoadBalancerNodePorts', only)]
      : []),
    ...(loadBalancerClass !== undefined && !balanced ? [fieldForbidden('spec.loadBalancerClass', only)] : []),
    ...validateExternalPolicy(spec),
    ...(numberOf(port) === 0 ? [] : validateHealthPort(numberOf(port), spec)),
    ...supported(spec['internalTrafficPolicy'], TRAFFIC_POLICIES, 'spec.internalTrafficPolicy'),
    ...supported(spec['trafficDistribution'], DISTRIBUTIONS, 'spec.trafficDistribution'),
  ];
}

const HEALTH_PORT = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";

function validateHealthPort(port: number, spec: JsonRecord): Errors {
  const field = 'spec.healthCheckNodePort';
  return needsHealthPort(spec) ? validatePortNumber(port, field) : [fieldInvalid(field, port, HEALTH_PORT)];
}

/** Does the Service need a health check node port? */
export function needsHealthPort(spec: JsonRecord): boolean {
  return isBalanced(spec) && spec['externalTrafficPolicy'] === 'Local';
}

function isReachable({ type, externalIPs }: JsonRecord): boolean {
  if (type === 'LoadBalancer' || type === 'NodePort') return true;
  return type === 'ClusterIP' && listOf(externalIPs).length > 0;
}

function isBalanced({ type }: JsonRecord): boolean {
  return type === 'LoadBalancer';
}

/** The fields that only some types of services have, each with a test for those types. */
export const TRAFFIC_FIELDS: readonly (readonly [field: string, has: (spec: JsonRecord) => boolean])[] = [
  ['externalTrafficPolicy', isReachable],
  ['internalTrafficPolicy', ({ type }) => type !== 'ExternalName'],
  ['allocateLoadBalancerNodePorts', isBalanced],
  ['loadBalancerClass', isBalanced],
  ['healthCheckNodePort', needsHealthPort],
];

function validateExternalPolicy(spec: JsonRecord): Errors {
  const { externalTrafficPolicy: policy } = spec;
  if (policy === undefined) return [];
  const field = 'spec.externalTrafficPolicy';
  if (!isReachable(spec)) return [fieldInvalid(field, policy, 'may only be set for externally-accessible services')];
  return supported(policy, TRAFFIC_POLICIES, field);
}

function supported(value: unknown, values: readonly string[], field: string): Errors {
  return value === undefined || values.includes(textOf(value)) ? [] : [fieldNotSupported(field, value, values)];
}
