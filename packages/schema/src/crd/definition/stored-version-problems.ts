/** Validates `status.storedVersions`. */

import { type FieldError, fieldInvalid } from '@listwatch/api';
import { indexPath } from '../error-path.ts';
import type { DefinitionView } from './definition-view.ts';

const FIELD = 'status.storedVersions';

/** Every version that objects may be stored in must be in the list, and in `spec.versions`. */
export function storedVersionProblems({ storedVersions = [], versions }: DefinitionView): readonly FieldError[] {
  if (storedVersions.length === 0) {
    return [fieldInvalid(FIELD, null, 'must have at least one stored version')];
  }
  const errors = versions
    .filter(({ name, isStorage }) => isStorage && !storedVersions.includes(name))
    .map(({ name }) => fieldInvalid(FIELD, storedVersions, `must have the storage version ${name}`));
  const names = new Set(versions.map(({ name }) => name));
  for (const [index, name] of storedVersions.entries()) {
    if (names.has(name) || storedVersions.lastIndexOf(name) !== index) continue;
    errors.push(fieldInvalid(indexPath(FIELD, index), name, missing(name)));
  }
  return errors;
}

function missing(name: string): string {
  return (
    `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until ` +
    `a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`
  );
}
