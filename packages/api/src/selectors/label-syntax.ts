/** Which labels and annotations are legal. Each check returns its complaints, none when legal. */

import { checkDnsSubdomain, patternText, tooLongText } from '../names/name-syntax.ts';
import { breaksPattern, isLongerThan } from '../names/text-limit.ts';
import { utf8Length } from '../names/utf8.ts';
import { FIELD_ERRORS_MAX, type FieldError, fieldInvalid, fieldTooLong } from '../status/field-error.ts';

/** The longest label value, and the longest label key without its prefix, in bytes. */
export const LABEL_MAX = 63;

/** The most that all annotations of an object may take together, keys and values, in bytes. */
export const ANNOTATIONS_MAX = 262_144;

const NAME = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const VALUE = `(${NAME})?`;
const isName = new RegExp(`^${NAME}$`);
const isValue = new RegExp(`^${VALUE}$`);

const CHARACTERS =
  "consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const NAME_RULE = patternText(`must ${CHARACTERS}`, NAME, ['MyName', 'my.name', '123-abc']);
const VALUE_RULE = patternText(`a valid label must be an empty string or ${CHARACTERS}`, VALUE, [
  'MyValue',
  'my_value',
  '12345',
]);

/** Checks a qualified name: the key of a label or annotation, with or without a DNS prefix and a slash. */
export function checkQualifiedName(text: string): readonly string[] {
  const slash = text.indexOf('/');
  if (slash !== text.lastIndexOf('/')) {
    const hint = "with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')";
    return [`a valid label key ${NAME_RULE} ${hint}`];
  }
  const name = checkName(text.slice(slash + 1)).map((complaint) => `name part ${complaint}`);
  if (slash < 0) return name;
  return [...checkPrefix(text.slice(0, slash)).map((complaint) => `prefix part ${complaint}`), ...name];
}

/** Checks the value of a label. */
export function checkLabelValue(text: string): readonly string[] {
  const complaints = isLongerThan(text, LABEL_MAX) ? [tooLongText(LABEL_MAX, 'bytes')] : [];
  return breaksPattern(text, isValue) ? [...complaints, VALUE_RULE] : complaints;
}

/** Checks the labels of an object; `field` is their path, such as `metadata.labels`. Stops after a hundred errors. */
export function validateLabels(labels: Readonly<Record<string, string>>, field: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const [key, value] of Object.entries(labels)) {
    for (const complaint of checkQualifiedName(key)) errors.push(fieldInvalid(field, key, complaint));
    for (const complaint of checkLabelValue(value)) errors.push(fieldInvalid(field, value, complaint));
    if (errors.length > FIELD_ERRORS_MAX) break;
  }
  return errors;
}

/** Checks the annotations of an object; `field` is their path. Stops looking at keys after a hundred errors. */
export function validateAnnotations(
  annotations: Readonly<Record<string, string>>,
  field: string,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const key of Object.keys(annotations)) {
    // Annotation prefixes may be in upper case, unlike those of labels.
    for (const complaint of checkQualifiedName(key.toLowerCase())) errors.push(fieldInvalid(field, key, complaint));
    if (errors.length > FIELD_ERRORS_MAX) break;
  }
  if (annotationsSize(annotations) > ANNOTATIONS_MAX) errors.push(fieldTooLong(field, ANNOTATIONS_MAX));
  return errors;
}

/** The size of all annotations together, keys and values, in bytes. */
export function annotationsSize(annotations: Readonly<Record<string, string>>): number {
  let bytes = 0;
  for (const [key, value] of Object.entries(annotations)) bytes += utf8Length(key) + utf8Length(value);
  return bytes;
}

function checkPrefix(prefix: string): readonly string[] {
  return prefix === '' ? ['must be non-empty'] : checkDnsSubdomain(prefix, 'bytes');
}

function checkName(name: string): readonly string[] {
  const length =
    name === '' ? ['must be non-empty'] : isLongerThan(name, LABEL_MAX) ? [tooLongText(LABEL_MAX, 'bytes')] : [];
  return breaksPattern(name, isName) ? [...length, NAME_RULE] : length;
}
