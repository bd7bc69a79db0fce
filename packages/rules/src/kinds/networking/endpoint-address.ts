/** What the addresses of endpoints must be, and how tables show them. */

import { BlockList, isIP, isIPv6 } from 'node:net';
import { type FieldError, fieldInvalid } from '@listwatch/api';

/** What the message about no address at all begins with; the address follows. */
const UNSPECIFIED = 'may not be unspecified';

/** Addresses that mean something else on every machine. */
const SPECIAL: readonly (readonly [BlockList, string])[] = [
  [blocks(['0.0.0.0', 32], ['::', 128]), UNSPECIFIED],
  [blocks(['127.0.0.0', 8], ['::1', 128]), 'may not be in the loopback range (127.0.0.0/8, ::1/128)'],
  [blocks(['169.254.0.0', 16], ['fe80::', 10]), 'may not be in the link-local range (169.254.0.0/16, fe80::/10)'],
  [blocks(['224.0.0.0', 24], ['ff02::', 16]), 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)'],
];

function blocks(v4: readonly [string, number], v6: readonly [string, number]): BlockList {
  const list = new BlockList();
  list.addSubnet(...v4, 'ipv4');
  list.addSubnet(...v6, 'ipv6');
  return list;
}

/** The complaints about an address of an endpoint: it must be one that others can reach. */
export function validateEndpointIp(ip: string, field: string): readonly FieldError[] {
  if (isIP(ip) === 0) return [fieldInvalid(field, ip, 'must be a valid IP address')];
  const family = isIPv6(ip) ? 'ipv6' : 'ipv4';
  return SPECIAL.filter(([list]) => list.check(ip, family)).map(([, why]) =>
    fieldInvalid(field, ip, why === UNSPECIFIED ? `${why} (${ip})` : why),
  );
}

/** How many a table shows. */
const SHOWN_MAX = 3;

/** `a,b,c + 2 more...`; `none` when there is nothing to show. */
export function shortList(items: readonly string[], none: string): string {
  if (items.length === 0) return none;
  const shown = items.slice(0, SHOWN_MAX).join(',');
  return items.length > SHOWN_MAX ? `${shown} + ${items.length - SHOWN_MAX} more...` : shown;
}
