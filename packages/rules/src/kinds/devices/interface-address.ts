/** The address of a network interface: `10.1.1.1/24`. */

import { type FieldError, fieldInvalid, quote } from '@listwatch/api';
import { ipText } from '@listwatch/api/values';
import { legacyRange } from '../../validation/ip-rules.ts';

const NO_ADDRESS = 'must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)';

/** Checks an address in its canonical form, with the length of its network. */
export function validateInterfaceAddress(text: string, field: string): readonly FieldError[] {
  const range = legacyRange(text);
  if (range === undefined) return [fieldInvalid(field, text, NO_ADDRESS)];
  const canonical = `${ipText(range)}/${range.prefix}`;
  return text === canonical ? [] : [fieldInvalid(field, text, `must be in canonical form (${quote(canonical)})`)];
}
