/** The names of attributes and capacities of devices: an identifier with the domain of its definer as prefix. */

import { type FieldError, fieldInvalid, fieldTooLong, utf8Length } from '@listwatch/api';
import { validateDriverName } from '../storage/storage-rules.ts';

type Errors = readonly FieldError[];

const IDENTIFIER_MAX = 32;
const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;
const IDENTIFIER_TEXT =
  "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for validation is '[A-Za-z_][A-Za-z0-9_]*')";

/** Checks a name whose domain may be left out. */
export function validatePropertyName(name: string, field: string): Errors {
  const [first = '', second, ...more] = name.split('/');
  if (second === undefined) return validateIdentifier(first, field);
  // Kubernetes accepts names with two or more slashes.
  if (more.length > 0) return [];
  return [
    ...(first === '' ? [fieldInvalid(field, '', 'the domain must not be empty')] : validateDriverName(first, field)),
    ...(second === '' ? [fieldInvalid(field, '', 'the name must not be empty')] : validateIdentifier(second, field)),
  ];
}

/** Checks a name that must have a domain. */
export function validateFullPropertyName(name: string, field: string): Errors {
  const why = 'a fully qualified name must be a domain and a name separated by a slash';
  return [...validatePropertyName(name, field), ...(name.includes('/') ? [] : [fieldInvalid(field, name, why)])];
}

function validateIdentifier(name: string, field: string): Errors {
  return [
    ...(utf8Length(name) > IDENTIFIER_MAX ? [fieldTooLong(field, IDENTIFIER_MAX)] : []),
    ...(IDENTIFIER.test(name) ? [] : [fieldInvalid(field, name, IDENTIFIER_TEXT)]),
  ];
}

const KEY_MAX = 63 + 1 + IDENTIFIER_MAX;

/** A key of a map as kube-apiserver prints it in a field path: it shortens long keys in the middle. */
export function shownKey(key: string, max: number = KEY_MAX): string {
  if (key.length <= max) return key;
  const rest = max - 3;
  return `${key.slice(0, Math.floor((rest + 1) / 2))}...${key.slice(key.length - Math.floor(rest / 2))}`;
}
