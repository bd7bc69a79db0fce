/** What the server needs of a ServiceCIDR. */

import {
  firstOfRange,
  type IpRange,
  listOf,
  parseCidr,
  parseIp,
  recordOf,
  recordsOf,
  textOf,
} from '@listwatch/api/values';
import type { KubeObject } from '@listwatch/rules/internal';

/** The ServiceCIDR of the range that the server was started with. */
export const DEFAULT_CIDR_NAME = 'kubernetes';
/** Holds a ServiceCIDR while addresses of it are in use. */
export const CIDR_FINALIZER = 'networking.k8s.io/service-cidr-finalizer';

export interface ServiceCidr {
  readonly name: string;
  readonly cidrs: readonly string[];
  readonly isReady: boolean;
  /** Milliseconds since 1970; undefined: it is not being deleted. */
  readonly deletedAt: number | undefined;
}

export function readServiceCidr(object: KubeObject): ServiceCidr {
  const { name = '', deletionTimestamp } = object.metadata;
  const conditions = recordsOf(recordOf(object['status'])['conditions']);
  return {
    name,
    cidrs: listOf(recordOf(object['spec'])['cidrs']).map(textOf),
    isReady: conditions.some(({ type, status }) => type === 'Ready' && status === 'True'),
    deletedAt: deletionTimestamp === undefined ? undefined : Date.parse(deletionTimestamp),
  };
}

/** Is the address in one of its ranges? */
export function containsAddress({ cidrs }: ServiceCidr, ip: string): boolean {
  const address = parseIp(ip);
  return address !== undefined && cidrs.some((cidr) => isWithin(parseCidr(cidr), { ...address, prefix: address.bits }));
}

/** Is the whole range in one of its ranges? */
export function containsRange({ cidrs }: ServiceCidr, cidr: string): boolean {
  const range = parseCidr(cidr);
  return range !== undefined && cidrs.some((own) => isWithin(parseCidr(own), range));
}

function isWithin(outer: IpRange | undefined, inner: IpRange): boolean {
  if (outer === undefined || outer.bits !== inner.bits || outer.prefix > inner.prefix) return false;
  return firstOfRange({ ...inner, prefix: outer.prefix }).value === firstOfRange(outer).value;
}
