/** Validates the addresses of endpoints, and formats them for tables. */

import { type FieldError, fieldInvalid } from '@listwatch/api';
import { type IpRange, parseCidr, parseIp, rangeContains, unmappedIp } from '@listwatch/api/values';

/** The start of the message about 0.0.0.0 and ::, which ends with the address. */
const UNSPECIFIED = 'may not be unspecified';

/** Ranges of addresses that are local to a machine or a link, so that other machines cannot reach them. */
const SPECIAL: readonly (readonly [readonly IpRange[], string])[] = [
  [ranges('0.0.0.0/32', '::/128'), UNSPECIFIED],
  [ranges('127.0.0.0/8', '::1/128'), 'may not be in the loopback range (127.0.0.0/8, ::1/128)'],
  [ranges('169.254.0.0/16', 'fe80::/10'), 'may not be in the link-local range (169.254.0.0/16, fe80::/10)'],
  [ranges('224.0.0.0/24', 'ff02::/16'), 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)'],
];

function ranges(...texts: readonly string[]): readonly IpRange[] {
  return texts.flatMap((text) => parseCidr(text) ?? []);
}

/** Checks the address of an endpoint: other machines must be able to reach it. */
export function validateEndpointIp(ip: string, field: string): readonly FieldError[] {
  const address = parseIp(ip);
  if (address === undefined) return [fieldInvalid(field, ip, 'must be a valid IP address')];
  const plain = unmappedIp(address);
  return SPECIAL.filter(([special]) => special.some((range) => rangeContains(range, plain))).map(([, why]) =>
    fieldInvalid(field, ip, why === UNSPECIFIED ? `${why} (${ip})` : why),
  );
}

/** The maximum number of addresses in a cell. */
const SHOWN_MAX = 3;

/** `a,b,c + 2 more...`; `none` when there is nothing to show. */
export function shortList(items: readonly string[], none: string): string {
  if (items.length === 0) return none;
  const shown = items.slice(0, SHOWN_MAX).join(',');
  return items.length > SHOWN_MAX ? `${shown} + ${items.length - SHOWN_MAX} more...` : shown;
}
