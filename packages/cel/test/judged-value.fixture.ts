/** Values in the form of the judge: JSON that keeps their types. */

import { PreservedValue } from '@listwatch/schema';
import { CidrValue } from '../src/extensions/cidr-library.ts';
import { FormatValue } from '../src/extensions/format-library.ts';
import { IpValue } from '../src/extensions/ip-library.ts';
import { QuantityValue } from '../src/extensions/quantity-library.ts';
import { SemverValue } from '../src/extensions/semver-library.ts';
import { UrlValue } from '../src/extensions/url-library.ts';
import {
  CelDouble,
  CelDuration,
  CelList,
  CelMap,
  CelOptional,
  CelTimestamp,
  CelType,
  CelUint,
  type CelValue,
} from '../src/index.ts';
import { quantityText } from '../src/parsing/decimal-quantity.ts';
import { addressText, prefixText } from '../src/parsing/netip-address.ts';
import { versionText } from '../src/parsing/semantic-version.ts';
import { formatTimestamp } from '../src/standard/go-literals.ts';

/** Strings, booleans, null and safe integers stand for themselves; everything else is an object with one key, its type. */
export function encodeValue(value: CelValue): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number')
    return value;
  if (typeof value === 'bigint') return { int: String(value) };
  if (value instanceof CelUint) return { uint: String(value.value) };
  if (value instanceof CelDouble) return { double: encodeDouble(value.value) };
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString('base64') };
  if (value instanceof CelTimestamp)
    return { timestamp: formatTimestamp(new CelTimestamp(value.seconds, value.nanos)) };
  if (value instanceof CelDuration) return { duration: String(value.nanoseconds) };
  if (value instanceof CelType) return { type: typeText(value) };
  if (value instanceof CelOptional) return { optional: value.value === undefined ? [] : [encodeValue(value.value)] };
  if (value instanceof CelList) return Array.from(value, encodeValue);
  if (value instanceof CelMap) return { map: encodeEntries(value) };
  if (value instanceof QuantityValue) return { quantity: quantityText(value.amount) };
  if (value instanceof UrlValue) return { url: value.part('text') };
  if (value instanceof IpValue) return { ip: addressText(value.address) };
  if (value instanceof CidrValue) return { cidr: prefixText(value.prefix) };
  if (value instanceof SemverValue) return { semver: versionText(value.version) };
  if (value instanceof FormatValue) return { format: value.format.name };
  if (value instanceof PreservedValue) return { other: '*common.unknownPreserved' };
  throw new TypeError(`a value of ${value.opaqueType.name}`);
}

/** A type by its name at run time, as the judge prints it. */
export function typeText({ kind, name, parameters }: CelType): string {
  if (kind === 'wrapper') return `wrapper(${parameters.map(typeText).join(', ')})`;
  return parameters.length === 0 ? name : `${name}(${parameters.map(typeText).join(', ')})`;
}

function encodeDouble(value: number): number | string {
  if (Object.is(value, -0)) return '-0';
  return Number.isFinite(value) ? value : String(value);
}

function encodeEntries(map: CelMap): unknown[] {
  return Array.from(map.keys(), (key) => [encodeValue(key), encodeValue(map.find(key) ?? null)])
    .map((pair) => ({ pair, text: JSON.stringify(pair[0]) }))
    .toSorted((a, b) => (a.text < b.text ? -1 : 1))
    .map(({ pair }) => pair);
}
