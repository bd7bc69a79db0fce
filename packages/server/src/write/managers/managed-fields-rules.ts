/** Validates `metadata.managedFields` that a client has sent. */

import { type FieldError, fieldTooLong, utf8Length } from '@listwatch/api';
import { validateManagerName } from '../write-options.ts';
import type { ManagedFields } from './field-owners.ts';

const SUBRESOURCE_MAX = 256;

/** The errors in the names of managers and subresources. What cannot be read at all never gets here. */
export function validateManagedFields(managedFields: ManagedFields): readonly FieldError[] {
  return (managedFields ?? []).flatMap(({ manager = '', subresource = '' }, index) => {
    const field = `metadata.managedFields[${index}]`;
    return [
      ...validateManagerName(manager, `${field}.manager`),
      ...(utf8Length(subresource) > SUBRESOURCE_MAX ? [fieldTooLong(`${field}.subresource`, SUBRESOURCE_MAX)] : []),
    ];
  });
}
