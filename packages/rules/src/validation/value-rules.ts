/** Rules for single values that several kinds share. */

import {
  checkDnsLabel,
  type FieldError,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
  tooLongText,
} from '@listwatch/api';
import { textOf } from '@listwatch/api/values';

/** The message about a number outside of a range. */
export function rangeText(low: number, high: number): string {
  return `must be between ${low} and ${high}, inclusive`;
}

/** Checks the number of a port. */
export function validatePortNumber(port: number, field: string): readonly FieldError[] {
  return port >= 1 && port <= 65_535 ? [] : [fieldInvalid(field, port, rangeText(1, 65_535))];
}

/** Longer port names get the message about their length only. */
const PORT_NAME_SHOWN = 4096;

/** Checks the name of a container's port. */
export function checkPortName(name: string): readonly string[] {
  const complaints: string[] = [];
  if (name.length > 15) complaints.push(tooLongText(15, 'characters'));
  if (name.length > PORT_NAME_SHOWN) return complaints;
  if (!/^[-a-z0-9]+$/.test(name)) {
    complaints.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  }
  if (!/[a-z]/.test(name)) complaints.push('must contain at least one letter (a-z)');
  if (name.includes('--')) complaints.push('must not contain consecutive hyphens');
  if (name.startsWith('-') || name.endsWith('-')) complaints.push('must not begin or end with a hyphen');
  return complaints;
}

/** Checks that a value is one of `supported`; an empty value is missing. */
export function oneOf(value: unknown, supported: readonly string[], field: string): readonly FieldError[] {
  const text = textOf(value);
  if (text === '') return [fieldRequired(field)];
  return supported.includes(text) ? [] : [fieldNotSupported(field, text, supported)];
}

/** Checks a name, if there is one. */
export function named(
  value: unknown,
  check: (name: string) => readonly string[],
  field: string,
): readonly FieldError[] {
  const name = textOf(value);
  return name === '' ? [] : check(name).map((complaint) => fieldInvalid(field, name, complaint));
}

/** Checks a required DNS label. */
export function requiredLabel(value: unknown, field: string): readonly FieldError[] {
  return textOf(value) === '' ? [fieldRequired(field)] : named(value, checkDnsLabel, field);
}
