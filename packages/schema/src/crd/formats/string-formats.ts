/** The formats of text that a schema may name, as kube-apiserver 1.36 checks them. */

import { isCreditCard, isIsbn10, isIsbn13 } from './checksum-formats.ts';
import { isEmailText } from './email-format.ts';
import { isCidrText, isIpv4Text, isIpv6Text, isMacText } from './network-formats.ts';
import { isDateText, isDateTimeText, isDurationText } from './time-formats.ts';
import { isRequestUri } from './uri-format.ts';

/** Longer text is in none of the formats with an upper limit; this limits the text that a pattern reads. */
const HOSTNAME_MAX = 255;
const LABEL_MAX = 63;
const LONG_NAME_MAX = 253;
const SHORT_TEXT_MAX = 1024;

const HOSTNAME =
  /^([a-zA-Z0-9\p{S}\p{L}]((-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)|([a-zA-Z0-9\p{S}\p{L}](([a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?)(\.)){1,}([a-zA-Z\p{L}]){2,63})$/u;
const RGB =
  /^rgb\(\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*,\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*,\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*\)$/;

type FormatCheck = (text: string) => boolean;

const FORMATS: Readonly<Record<string, FormatCheck>> = {
  bsonobjectid: (text) => /^[0-9a-fA-F]{24}$/.test(text),
  byte: isBase64Text,
  cidr: isCidrText,
  creditcard: (text) => text.length <= SHORT_TEXT_MAX && isCreditCard(text),
  date: isDateText,
  datetime: isDateTimeText,
  duration: isDurationText,
  email: isEmailText,
  hexcolor: (text) => /^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/.test(text),
  hostname: isHostname,
  ipv4: isIpv4Text,
  ipv6: isIpv6Text,
  isbn: (text) => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  k8slongname: (text) =>
    text.length <= LONG_NAME_MAX && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(text),
  k8sshortname: (text) => text.length <= LABEL_MAX && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(text),
  mac: isMacText,
  password: () => true,
  rgbcolor: (text) => text.length <= SHORT_TEXT_MAX && RGB.test(text),
  ssn: (text) => text.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text),
  uri: isRequestUri,
  uuid: (text) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i.test(text),
  uuid3: (text) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i.test(text),
  uuid4: (text) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i.test(text),
  uuid5: (text) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i.test(text),
};

/** The check of a format of text; dashes in its name do not count. `undefined` for a format that is not known. */
export function stringFormat(name: string): FormatCheck | undefined {
  const plain = name.replaceAll('-', '');
  return Object.hasOwn(FORMATS, plain) ? FORMATS[plain] : undefined;
}

/** Does kube-apiserver know the format for values of this type? Others are ignored, with a warning. */
export function isKnownFormat(format: string, type: string): boolean {
  switch (type) {
    case '':
    case 'string':
      return stringFormat(format) !== undefined;
    case 'integer':
      return format === 'int32' || format === 'int64';
    case 'number':
      return format === 'float' || format === 'double';
    default:
      return false;
  }
}

function isHostname(text: string): boolean {
  if (text.length > HOSTNAME_MAX || !HOSTNAME.test(text)) return false;
  const bytes = new TextEncoder();
  return (
    bytes.encode(text).length <= HOSTNAME_MAX && text.split('.').every((part) => bytes.encode(part).length <= LABEL_MAX)
  );
}

/** Standard base64 with padding; not empty. A loop: a pattern would keep a state for each of a million characters. */
function isBase64Text(text: string): boolean {
  if (text.length === 0 || text.length % 4 !== 0) return false;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  for (let index = 0; index < text.length - padding; index += 1) {
    if (!isBase64Code(text.charCodeAt(index))) return false;
  }
  return true;
}

function isBase64Code(code: number): boolean {
  const letter = code | 0x20;
  return (letter >= 0x61 && letter <= 0x7a) || (code >= 0x30 && code <= 0x39) || code === 0x2b || code === 0x2f;
}
