/** The metadata of a converted object: the webhook may change labels and annotations only. Pure. */

import { type FieldError, fieldErrorText, validateAnnotations, validateLabels } from '@listwatch/api';
import { isRecord, type JsonRecord, textRecordOf } from '@listwatch/api/values';
import type { KubeMetadata } from '@listwatch/rules/internal';
import { goType } from '@listwatch/schema';

/** The metadata of the object with the labels and annotations of the answer. Throws an Error when labels or annotations are invalid. */
export function convertedMetadata(original: KubeMetadata, converted: JsonRecord): KubeMetadata {
  const { labels: _labels, annotations: _annotations, ...kept } = original;
  const labels = textsOf('labels', original, converted);
  const annotations = textsOf('annotations', original, converted);
  return {
    ...kept,
    ...(labels === undefined ? {} : { labels }),
    ...(annotations === undefined ? {} : { annotations }),
  };
}

type Texts = Readonly<Record<string, string>>;

function textsOf(field: 'annotations' | 'labels', original: KubeMetadata, converted: JsonRecord): Texts | undefined {
  const given = converted[field];
  if (given === undefined || given === null) return undefined;
  if (!isRecord(given)) throw new Error(`invalid metadata.${field} of type ${typeName(given)} in converted object`);
  for (const [key, value] of Object.entries(given)) {
    if (typeof value === 'string') continue;
    throw new Error(`metadata.${field}[${key}] must be a string, but is ${typeName(value)} in converted object`);
  }
  const texts = textRecordOf(given);
  if (isEqual(texts, original[field] ?? {})) return texts;
  // Kubernetes leaves out the last letter of annotations.
  const errors =
    field === 'labels' ? validateLabels(texts, 'metadata.labels') : validateAnnotations(texts, 'metadata.annotation');
  if (errors.length > 0) throw new Error(aggregate(errors));
  return texts;
}

/** Labels and annotations that the object already had are not validated again. */
function isEqual(one: Texts, other: Texts): boolean {
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => one[key] === other[key]);
}

/** As Go prints a list of errors: each text once. */
function aggregate(errors: readonly FieldError[]): string {
  const texts = [...new Set(errors.map(fieldErrorText))];
  return texts.length === 1 ? texts.join('') : `[${texts.join(', ')}]`;
}

function typeName(value: unknown): string {
  const type = goType(value);
  return type === 'nil' ? '<nil>' : type;
}
