/** The rules for cluster IPs, IP families and the IP family policy of a Service. */

import { type FieldError, fieldDuplicate, fieldInvalid, fieldNotSupported, fieldRequired } from '@listwatch/api';
import { ipFamily, type JsonRecord, listOf, textOf } from '@listwatch/api/values';
import { checkIp } from '../../validation/ip-rules.ts';
import { itemErrors } from '../../validation/item-errors.ts';
import { HEADLESS } from './cluster-ip-allocator.ts';

type Errors = readonly FieldError[];

const IPS = 'spec.clusterIPs';
const POLICY = 'spec.ipFamilyPolicy';
const FAMILIES = ['IPv4', 'IPv6'];
const POLICIES = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];
const IPS_MAX = 2;

/** The checks before addresses are allocated. If one fails, kube-apiserver reports these errors only. */
export function validateClusterIps(spec: JsonRecord): Errors {
  if (spec['type'] === 'ExternalName') return [];
  const ips = listOf(spec['clusterIPs']).map(textOf);
  const families = listOf(spec['ipFamilies']).map(textOf);
  const { ipFamilyPolicy: policy } = spec;
  const illegal = validateEach(ips);
  return [
    ...validateFirst(textOf(spec['clusterIP']), ips),
    ...validateFamilies(families),
    ...(policy === undefined || POLICIES.includes(textOf(policy)) ? [] : [fieldNotSupported(POLICY, policy, POLICIES)]),
    ...illegal,
    ...(ips.length > IPS_MAX ? [fieldInvalid(IPS, ips, 'may only hold up to 2 values')] : []),
    ...(illegal.length > 0 ? [] : validateTogether(ips, families)),
  ];
}

function validateFirst(ip: string, ips: readonly string[]): Errors {
  if (ip === '') {
    return ips.length === 0 ? [] : [fieldInvalid(IPS, ips, 'must be empty when `clusterIP` is not specified')];
  }
  if (ips.length === 0) return [fieldRequired(IPS)];
  return ips[0] === ip ? [] : [fieldInvalid(IPS, ips, 'first value must match `clusterIP`')];
}

function validateFamilies(families: readonly string[]): Errors {
  const seen = new Set<string>();
  return itemErrors(families, (family, index) => {
    const field = `spec.ipFamilies[${index}]`;
    const twice = seen.has(family);
    seen.add(family);
    return [
      ...(FAMILIES.includes(family) ? [] : [fieldNotSupported(field, family, FAMILIES)]),
      ...(twice ? [fieldDuplicate(field, family)] : []),
    ];
  });
}

function validateEach(ips: readonly string[]): Errors {
  return itemErrors(ips, (ip, index) => {
    if (index > 0 || ip !== HEADLESS) {
      return checkIp(ip).map((complaint) => fieldInvalid(`${IPS}[${index}]`, ip, complaint));
    }
    return ips.length > 1 ? [fieldInvalid(IPS, ips, "'None' must be the first and only value")] : [];
  });
}

function validateTogether(ips: readonly string[], families: readonly string[]): Errors {
  const isPair = new Set(ips.map((ip) => ipFamily(ip) === 'IPv6')).size === 2;
  const checked = ips[0] === HEADLESS ? [] : ips.slice(0, families.length);
  return [
    ...(ips.length > 1 && !isPair
      ? [fieldInvalid(IPS, ips, 'may specify no more than one IP for each IP family')]
      : []),
    ...itemErrors(checked, (ip, index) => {
      const family = families[index] ?? '';
      if (!FAMILIES.includes(family) || (ipFamily(ip) === 'IPv6') === (family === 'IPv6')) return [];
      const why = `expected an ${family} value as indicated by \`ipFamilies[${index}]\``;
      return [fieldInvalid(`${IPS}[${index}]`, ip, why)];
    }),
  ];
}
