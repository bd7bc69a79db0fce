/** The metadata rules of a server, in small. */

import { checkPathSegment, type FieldError, fieldInvalid, validateLabels } from '@listwatch/api';
import { isRecord, type JsonRecord } from '@listwatch/api/values';
import { DecodePlans } from '../../decode/decode-plans.ts';
import { SchemaSet } from '../../schema-set.ts';
import type { MetadataRules } from '../custom-schema.ts';

const plans = new DecodePlans(
  new SchemaSet([
    {
      name: 'meta/v1',
      goPackage: 'k8s.io/apimachinery/pkg/apis/meta/v1',
      imports: [],
      types: {
        ObjectMeta: {
          fields: {
            name: { type: 'string' },
            namespace: { type: 'string' },
            generation: { type: 'int64' },
            creationTimestamp: { type: 'time', omitZero: true },
            labels: { map: 'string' },
          },
        },
      },
    },
  ]),
);

/** Knows five fields of ObjectMeta. */
export const OBJECT_META: MetadataRules = {
  plan: () => plans.struct('meta/v1.ObjectMeta'),
  problems: (metadata, field) => [...nameProblems(metadata, field), ...labelProblems(metadata, field)],
};

function nameProblems({ name }: JsonRecord, field: string): readonly FieldError[] {
  if (typeof name !== 'string') return [];
  return checkPathSegment(name).map((complaint) => fieldInvalid(`${field}.name`, name, complaint));
}

function labelProblems({ labels }: JsonRecord, field: string): readonly FieldError[] {
  if (!isRecord(labels)) return [];
  const texts = Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value)]));
  return validateLabels(texts, `${field}.labels`);
}
