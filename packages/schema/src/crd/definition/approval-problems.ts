/** Groups of the Kubernetes community need an approval: `api-approved.kubernetes.io`. */

import { type FieldError, fieldInvalid, fieldRequired, quote } from '@listwatch/api';
import type { JsonRecord } from '@listwatch/api/values';
import { isRequestUri } from '../formats/uri-format.ts';
import { recordAt, textAt } from './definition-view.ts';

const ANNOTATION = 'api-approved.kubernetes.io';
const SEE = 'see https://github.com/kubernetes/enhancements/pull/1111';

/** The approval in the annotation of a definition. */
export interface ApiApproval {
  readonly state: 'approved' | 'bypassed' | 'invalid' | 'missing';
  /** For a condition or an error. */
  readonly message: string;
}

/** Does the group belong to the community? */
export function isProtectedGroup(group: string): boolean {
  return ['k8s.io', 'kubernetes.io'].some((domain) => group === domain || group.endsWith(`.${domain}`));
}

/** The approval of a definition; of interest for protected groups only. */
export function apiApproval(definition: JsonRecord): ApiApproval {
  const metadata = recordAt(definition, 'metadata') ?? {};
  const text = textAt(recordAt(metadata, 'annotations') ?? {}, ANNOTATION);
  const rule = `protected groups must have approval annotation ${quote(ANNOTATION)}`;
  if (text === '') return { state: 'missing', message: `${rule}, ${SEE}` };
  if (text.startsWith('unapproved')) return { state: 'bypassed', message: `not approved: ${quote(text)}` };
  if (isRequestUri(text) && /^[a-zA-Z][a-zA-Z0-9+.-]*:\/\/[^/]/.test(text)) {
    return { state: 'approved', message: `approved in ${text}` };
  }
  return { state: 'invalid', message: `${rule} with either a URL or a reason starting with "unapproved", ${SEE}` };
}

/** The errors in the approval. An approval that was wrong before may stay. */
export function approvalProblems(
  definition: JsonRecord,
  group: string,
  old: JsonRecord | undefined,
): readonly FieldError[] {
  if (!isProtectedGroup(group)) return [];
  const { state, message } = apiApproval(definition);
  if (old !== undefined && apiApproval(old).state === state) return [];
  const field = `metadata.annotations[${ANNOTATION}]`;
  if (state === 'missing') return [fieldRequired(field, message)];
  if (state !== 'invalid') return [];
  const annotations = recordAt(recordAt(definition, 'metadata') ?? {}, 'annotations') ?? {};
  return [fieldInvalid(field, textAt(annotations, ANNOTATION), message)];
}
