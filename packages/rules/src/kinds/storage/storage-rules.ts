/** The rules that the kinds about storage share. */

import {
  checkDnsSubdomain,
  checkQualifiedName,
  type FieldError,
  fieldInvalid,
  fieldRequired,
  fieldTooLong,
  utf8Length,
} from '@listwatch/api';
import { recordOf, textEntriesOf, textOf } from '@listwatch/api/values';

type Errors = readonly FieldError[];

const DRIVER_NAME_MAX = 63;

/** Checks the name of a CSI driver: a DNS name in any case. */
export function validateDriverName(value: unknown, field: string): Errors {
  const name = textOf(value);
  if (name === '') return [fieldRequired(field)];
  return [
    ...(name.length > DRIVER_NAME_MAX ? [fieldTooLong(field, DRIVER_NAME_MAX)] : []),
    ...checkDnsSubdomain(name.toLowerCase()).map((complaint) => fieldInvalid(field, name, complaint)),
  ];
}

/** Checks the name of a provisioner: a qualified name in any case. */
export function validateProvisioner(value: unknown, field: string): Errors {
  const name = textOf(value).toLowerCase();
  if (name === '') return [fieldRequired(field)];
  return checkQualifiedName(name).map((complaint) => fieldInvalid(field, name, complaint));
}

const PARAMETERS_MAX = 512;
const PARAMETERS_BYTES_MAX = 256 * 1024;

/** Checks the parameters of a class. */
export function validateParameters(value: unknown, isRequired: boolean, field = 'parameters'): Errors {
  const count = Object.keys(recordOf(value)).length;
  if (count > PARAMETERS_MAX) return [fieldTooLong(field, PARAMETERS_MAX)];
  return [
    ...(Object.hasOwn(recordOf(value), '') ? [fieldInvalid(field, '', 'field can not be empty.')] : []),
    ...validateMapSize(value, field),
    ...(isRequired && count === 0 ? [fieldRequired(field, 'must contain at least one key/value pair')] : []),
  ];
}

/** Checks the size of a map of texts. */
export function validateMapSize(value: unknown, field: string): Errors {
  let bytes = 0;
  for (const [key, text] of textEntriesOf(value)) bytes += utf8Length(key) + utf8Length(text);
  return bytes > PARAMETERS_BYTES_MAX ? [fieldTooLong(field, PARAMETERS_BYTES_MAX)] : [];
}
