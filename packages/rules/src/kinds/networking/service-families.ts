/** The IP families of a Service: what its author leaves out follows from the cluster, and from the Service as it was. */

import { type FieldError, fieldInvalid } from '@listwatch/api';
import { ipFamily, type JsonRecord, listOf, sameJson, textOf } from '@listwatch/api/values';
import { itemErrors } from '../../validation/item-errors.ts';
import { HEADLESS, type IpFamily } from './cluster-ip-allocator.ts';

type Errors = readonly FieldError[];

/** A Service's spec with its families and its policy; with errors it is as it was. */
export interface ServiceFamilies {
  readonly spec: JsonRecord;
  readonly errors: Errors;
}

const IPS = 'spec.clusterIPs';
const POLICY = 'spec.ipFamilyPolicy';
const PREFERRED = 'PreferDualStack';
const REQUIRED = 'RequireDualStack';
const SINGLE = 'SingleStack';

/**
 * Fills in `ipFamilyPolicy` and `ipFamilies`. `cluster`: the families of its ranges, the primary one first. A change of the
 * policy to `SingleStack` drops the second address, one to another policy asks for it. The spec has passed `validateClusterIps`.
 */
export function withFamilies(spec: JsonRecord, cluster: readonly IpFamily[], old?: JsonRecord): ServiceFamilies {
  // A Service that prefers two stacks stays as it is when the cluster gets a second one.
  if (old !== undefined && prefersAsBefore(spec, old)) return { spec, errors: [] };
  const policy = policyOf(spec, old);
  const single = policy === SINGLE;
  const kept = single && old !== undefined ? downgraded(spec, old) : spec;
  const ips = listOf(kept['clusterIPs']).map(textOf);
  const given = listOf(kept['ipFamilies']).map(textOf);
  const before = [
    ...(!single && old !== undefined ? reductions(spec, old, policy) : []),
    ...(single ? tooManyErrors(ips, given) : []),
    ...unknownErrors(ips, given, cluster),
  ];
  if (before.length > 0) return { spec, errors: before };
  const named = [...given, ...familiesOf(ips).slice(given.length)];
  const families = named.length === 0 ? cluster.slice(0, 1) : named;
  // Without addresses and without a selector it may have families that the cluster lacks.
  const isFree = isHeadless(spec) && !hasSelector(spec);
  const after = isFree ? [] : clusterErrors(policy, named, cluster);
  if (after.length > 0) return { spec, errors: after };
  const wantsTwo = !single && families.length === 1 && (isFree || cluster.length > 1);
  const ipFamilies = wantsTwo ? [...families, families[0] === 'IPv4' ? 'IPv6' : 'IPv4'] : families;
  return { spec: { ...kept, ipFamilyPolicy: policy, ipFamilies }, errors: [] };
}

function policyOf(spec: JsonRecord, old: JsonRecord | undefined): string {
  const policy = textOf(spec['ipFamilyPolicy']) || textOf(old?.['ipFamilyPolicy']);
  if (policy !== '') return policy;
  return isHeadless(spec) && !hasSelector(spec) ? REQUIRED : SINGLE;
}

function prefersAsBefore(spec: JsonRecord, old: JsonRecord): boolean {
  return (
    spec['type'] === old['type'] &&
    spec['ipFamilyPolicy'] === PREFERRED &&
    (old['ipFamilyPolicy'] ?? PREFERRED) === PREFERRED &&
    sameJson(spec['clusterIPs'], old['clusterIPs']) &&
    sameJson(spec['ipFamilies'], old['ipFamilies'])
  );
}

/** `SingleStack` is a clear wish as long as the lists were not changed too. The first address cannot change. */
function downgraded(spec: JsonRecord, old: JsonRecord): JsonRecord {
  const cut = ['clusterIPs', 'ipFamilies'].filter((name) => sameJson(spec[name], old[name]) && old[name] !== undefined);
  return { ...spec, ...Object.fromEntries(cut.map((name) => [name, listOf(spec[name]).slice(0, 1)])) };
}

/** With any other policy nobody gives back an address or a family by leaving it out. */
function reductions(spec: JsonRecord, old: JsonRecord, policy: string): Errors {
  if (spec['type'] === 'ExternalName' || old['type'] === 'ExternalName') return [];
  const isReduced = (name: string): boolean => {
    const now = listOf(spec[name]);
    return now.length > 0 && now.length < listOf(old[name]).length;
  };
  return [
    ...(isReduced('clusterIPs')
      ? [fieldInvalid(POLICY, policy, "must be 'SingleStack' to release the secondary cluster IP")]
      : []),
    ...(isReduced('ipFamilies')
      ? [fieldInvalid(POLICY, policy, "must be 'SingleStack' to release the secondary IP family")]
      : []),
  ];
}

function tooManyErrors(ips: readonly string[], families: readonly string[]): Errors {
  return [
    ...(ips.length === 2 ? [fieldInvalid(POLICY, SINGLE, needsTwo('cluster IPs'))] : []),
    ...(families.length === 2 ? [fieldInvalid(POLICY, SINGLE, needsTwo('IP families'))] : []),
  ];
}

function needsTwo(what: string): string {
  return `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`;
}

/** An address whose family nobody named, and that the cluster does not have. */
function unknownErrors(ips: readonly string[], given: readonly string[], cluster: readonly IpFamily[]): Errors {
  return itemErrors(ips.slice(given.length), (ip, index) => {
    const family = ip === HEADLESS ? undefined : ipFamily(ip);
    if (family === undefined || cluster.includes(family)) return [];
    return [fieldInvalid(`${IPS}[${index + given.length}]`, ips, `${family} is not configured on this cluster`)];
  });
}

function clusterErrors(policy: string, named: readonly string[], cluster: readonly IpFamily[]): Errors {
  return [
    ...(policy === REQUIRED && cluster.length < 2
      ? [fieldInvalid(POLICY, policy, 'this cluster is not configured for dual-stack services')]
      : []),
    ...itemErrors(named, (family, index) =>
      cluster.some((one) => one === family)
        ? []
        : [fieldInvalid(`spec.ipFamilies[${index}]`, family, 'not configured on this cluster')],
    ),
  ];
}

function familiesOf(ips: readonly string[]): readonly string[] {
  return ips.flatMap((ip) => (ip === HEADLESS ? [] : (ipFamily(ip) ?? [])));
}

function isHeadless(spec: JsonRecord): boolean {
  return listOf(spec['clusterIPs'])[0] === HEADLESS || spec['clusterIP'] === HEADLESS;
}

function hasSelector(spec: JsonRecord): boolean {
  return Object.keys(Object(spec['selector'])).length > 0;
}
