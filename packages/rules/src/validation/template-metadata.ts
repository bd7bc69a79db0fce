/** The metadata of a template: labels and annotations for the objects created from it. */

import { type FieldError, fieldForbidden, validateAnnotations, validateLabels } from '@listwatch/api';
import { type JsonRecord, textRecordOf } from '@listwatch/api/values';

/** Checks the metadata of a claim template: it may have labels and annotations only. */
export function validateTemplateMetadata(
  { labels, annotations, ...others }: JsonRecord,
  field: string,
): readonly FieldError[] {
  return [
    ...validateLabels(textRecordOf(labels), `${field}.labels`),
    ...validateAnnotations(textRecordOf(annotations), `${field}.annotations`),
    ...Object.entries(others)
      .filter(([name, value]) => value !== undefined && value !== '' && (value !== 0 || name !== 'generation'))
      .map(([name]) => fieldForbidden(`${field}.${name === 'uid' ? 'uID' : name}`, 'cannot be set')),
  ];
}
