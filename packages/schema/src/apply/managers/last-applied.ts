/** The annotation in which `kubectl apply` on the client's side keeps what it has applied. */

import { ANNOTATIONS_MAX, annotationsSize } from '@listwatch/api';
import { isRecord, type JsonRecord } from '@listwatch/api/values';
import type { ApplyType } from '../apply-type.ts';
import type { FieldSet } from '../fields/field-set.ts';
import { goJson } from '../fields/go-json.ts';
import { compareTyped } from '../typed/compare-typed.ts';
import { fieldSetOf } from '../typed/field-set-of.ts';
import { memberOf } from '../typed/members.ts';
import { typedValueProblem } from '../typed/type-problems.ts';
import { metadataOf } from './managed-object.ts';

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** The one manager that moves from client-side to server-side apply without conflicts. */
export const KUBECTL = 'kubectl';

/**
 * The fields that the annotation of an object names and that nobody has changed since: kubectl may take them. Undefined when there is no
 * annotation that can be used.
 */
export function lastAppliedFields(live: JsonRecord, apiVersion: string, type: ApplyType): FieldSet | undefined {
  const applied = parsed(lastAppliedOf(live));
  if (applied === undefined || applied['apiVersion'] !== apiVersion) return undefined;
  if (typedValueProblem(live, type) !== undefined || typedValueProblem(applied, type) !== undefined) return undefined;
  const { added, removed, modified } = compareTyped(applied, live, type);
  return fieldSetOf(applied, type).difference(modified).difference(added).difference(removed);
}

/** The object with the annotation brought up to date, if it has one. Dropped when it makes the annotations too large. */
export function withLastApplied(object: JsonRecord, config: JsonRecord): JsonRecord {
  if (lastAppliedOf(object) === '') return object;
  const { [LAST_APPLIED]: _, ...others } = annotationsOf(object);
  const annotations = { ...others, [LAST_APPLIED]: `${goJson(withoutLastApplied(config))}\n` };
  const fits = annotationsSize(annotations) <= ANNOTATIONS_MAX;
  return { ...object, metadata: { ...metadataOf(object), annotations: fits ? annotations : others } };
}

function withoutLastApplied(config: JsonRecord): JsonRecord {
  const metadata = metadataOf(config);
  if (!isRecord(memberOf(metadata, 'annotations'))) return config;
  const { [LAST_APPLIED]: _, ...annotations } = annotationsOf(config);
  return { ...config, metadata: { ...metadata, annotations } };
}

function lastAppliedOf(object: JsonRecord): string {
  return annotationsOf(object)[LAST_APPLIED] ?? '';
}

function annotationsOf(object: JsonRecord): Record<string, string> {
  const annotations = memberOf(metadataOf(object), 'annotations');
  const entries = isRecord(annotations) ? Object.entries(annotations) : [];
  return Object.fromEntries(entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])));
}

function parsed(text: string): JsonRecord | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
