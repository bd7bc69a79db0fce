/** Validates an item of `spec.versions`. */

import { checkDns1035Label, type FieldError, fieldInvalid, utf8Length } from '@listwatch/api';
import { childPath } from '../error-path.ts';
import { recordAt, type VersionView } from './definition-view.ts';
import { type ValidationCheckOptions, validationProblems } from './validation-problems.ts';
import { columnProblems, selectableFieldProblems, subresourceProblems } from './version-part-problems.ts';

const WARNING_MAX = 256;

/** The faults of the parts that only this version has. */
export function versionProblems(
  version: VersionView,
  path: string,
  checks: ValidationCheckOptions,
  allowsManyFields: boolean,
): readonly FieldError[] {
  const complaints = checkDns1035Label(version.name);
  return [
    ...(complaints.length === 0 ? [] : [fieldInvalid(childPath(path, 'name'), version.name, complaints.join(','))]),
    ...warningProblems(version, childPath(path, 'deprecationWarning')),
    ...validationProblems(version.schema, childPath(path, 'schema'), checks),
    ...subresourceProblems(version.subresources, childPath(path, 'subresources')),
    ...columnProblems(version.columns, childPath(path, 'additionalPrinterColumns')),
    ...fieldProblems(version, childPath(path, 'selectableFields'), allowsManyFields),
  ];
}

function fieldProblems(
  { selectableFields, schema }: VersionView,
  field: string,
  allowsMany: boolean,
): readonly FieldError[] {
  if (selectableFields.length === 0) return [];
  const openApi = schema === undefined ? undefined : recordAt(schema, 'openAPIV3Schema');
  if (openApi === undefined) {
    return [fieldInvalid(field, '', 'may only be set when `version.schema.openAPIV3Schema` is not included')];
  }
  return selectableFieldProblems(selectableFields, openApi, field, allowsMany);
}

function warningProblems({ isDeprecated, deprecationWarning }: VersionView, field: string): readonly FieldError[] {
  if (deprecationWarning === undefined) return [];
  if (!isDeprecated) return [fieldInvalid(field, deprecationWarning, 'can only be set for deprecated versions')];
  const errors: FieldError[] = [];
  if (utf8Length(deprecationWarning) > WARNING_MAX) {
    errors.push(fieldInvalid(field, deprecationWarning, 'must be <= 256 characters long'));
  }
  if (deprecationWarning === '') errors.push(fieldInvalid(field, '', 'must not be an empty string'));
  const at = unprintableAt(deprecationWarning);
  if (at >= 0) {
    const detail = `must only contain printable UTF-8 characters; non-printable character found at index ${at}`;
    errors.push(fieldInvalid(field, deprecationWarning, detail));
  }
  return errors;
}

/** The index in UTF-8 of the first character that Go does not print. The blank is the only space that it prints. */
function unprintableAt(text: string): number {
  const match = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.exec(text);
  return match === null ? -1 : utf8Length(text.slice(0, match.index));
}
