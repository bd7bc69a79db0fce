/** Validates the names of a definition. */

import { checkDns1035Label, type FieldError, fieldInvalid, fieldRequired } from '@listwatch/api';
import type { JsonRecord } from '@listwatch/api/values';
import { childPath, indexPath } from '../error-path.ts';
import { textAt, textsAt } from './definition-view.ts';

/** The names that a definition must have. */
export function missingNames(names: JsonRecord, path: string): readonly FieldError[] {
  return ['plural', 'singular', 'kind', 'listKind']
    .filter((name) => textAt(names, name) === '')
    .map((name) => fieldRequired(childPath(path, name)));
}

/** The syntax of names, in `spec` and in `status`. Absent ones are fine. */
export function nameProblems(names: JsonRecord, path: string): readonly FieldError[] {
  const kind = textAt(names, 'kind');
  const listKind = textAt(names, 'listKind');
  return [
    ...labelProblems(textAt(names, 'plural'), childPath(path, 'plural')),
    ...labelProblems(textAt(names, 'singular'), childPath(path, 'singular')),
    ...mixedCaseProblems(kind, childPath(path, 'kind')),
    ...mixedCaseProblems(listKind, childPath(path, 'listKind')),
    ...listProblems(names, 'shortNames', path),
    ...(kind !== '' && kind === listKind
      ? [fieldInvalid(childPath(path, 'listKind'), listKind, 'kind and listKind may not be the same')]
      : []),
    ...listProblems(names, 'categories', path),
  ];
}

function listProblems(names: JsonRecord, name: string, path: string): readonly FieldError[] {
  return textsAt(names, name).flatMap((text, index) => {
    const complaints = checkDns1035Label(text);
    if (complaints.length === 0) return [];
    return [fieldInvalid(indexPath(childPath(path, name), index), text, complaints.join(','))];
  });
}

function labelProblems(text: string, field: string): readonly FieldError[] {
  const complaints = text === '' ? [] : checkDns1035Label(text);
  return complaints.length === 0 ? [] : [fieldInvalid(field, text, complaints.join(','))];
}

function mixedCaseProblems(text: string, field: string): readonly FieldError[] {
  const complaints = text === '' ? [] : checkDns1035Label(text.toLowerCase());
  if (complaints.length === 0) return [];
  return [fieldInvalid(field, text, `may have mixed case, but should otherwise match: ${complaints.join(',')}`)];
}
