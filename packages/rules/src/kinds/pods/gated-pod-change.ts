/** The changes allowed in a pod with scheduling gates: node selector and node affinity may become stricter. */

import { type FieldError, fieldInvalid } from '@listwatch/api';
import { defined, type JsonRecord, listOf, recordOf, recordsOf, sameJson } from '@listwatch/api/values';
import { itemErrors } from '../../validation/item-errors.ts';

type Errors = readonly FieldError[];

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';

/** Does the pod have scheduling gates? */
export function isGated(spec: JsonRecord): boolean {
  return listOf(spec['schedulingGates']).length > 0;
}

/** The rules for a changed node selector or node affinity. */
export function validateNodeChoice(spec: JsonRecord, old: JsonRecord): Errors {
  return [...validateSelector(spec['nodeSelector'], old['nodeSelector']), ...validateAffinityChange(spec, old)];
}

/** The new spec with the old node selector and node affinity. */
export function withNodeChoice(spec: JsonRecord, old: JsonRecord): JsonRecord {
  const { nodeAffinity: _nodeAffinity, ...affinity } = recordOf(spec['affinity']);
  const kept = { ...affinity, ...defined({ nodeAffinity: nodeAffinity(old) }) };
  const isEmpty = Object.keys(kept).length === 0 && old['affinity'] === undefined;
  return { ...spec, nodeSelector: old['nodeSelector'], affinity: isEmpty ? undefined : kept };
}

function nodeAffinity(spec: JsonRecord): unknown {
  return recordOf(spec['affinity'])['nodeAffinity'];
}

function validateSelector(selector: unknown, old: unknown): Errors {
  const labels = recordOf(selector);
  if (Object.entries(recordOf(old)).every(([key, value]) => labels[key] === value)) return [];
  const why = 'only additions to spec.nodeSelector are allowed (no mutations or deletions)';
  return [fieldInvalid('spec.nodeSelector', labels, why)];
}

function validateAffinityChange(spec: JsonRecord, old: JsonRecord): Errors {
  if (sameJson(nodeAffinity(spec), nodeAffinity(old))) return [];
  const before = recordsOf(recordOf(recordOf(nodeAffinity(old))[REQUIRED])['nodeSelectorTerms']);
  const terms = recordsOf(recordOf(recordOf(nodeAffinity(spec))[REQUIRED])['nodeSelectorTerms']);
  const field = `spec.affinity.nodeAffinity.${REQUIRED}.nodeSelectorTerms`;
  if (before.length > 0 && before.length !== terms.length) {
    return [fieldInvalid(field, terms, 'no additions/deletions to non-empty NodeSelectorTerms list are allowed')];
  }
  return itemErrors(before, (term, index) => {
    const now = recordOf(terms[index]);
    if (onlyAdds(now, term)) return [];
    return [fieldInvalid(`${field}[${index}]`, now, 'only additions are allowed (no mutations or deletions)')];
  });
}

const LISTS = ['matchExpressions', 'matchFields'] as const;

/** A term without requirements selects nothing, so that any addition would select more. */
function onlyAdds(term: JsonRecord, old: JsonRecord): boolean {
  if (LISTS.every((name) => listOf(old[name]).length === 0))
    return LISTS.every((name) => listOf(term[name]).length === 0);
  return LISTS.every((name) => {
    const kept = listOf(old[name]);
    return sameJson(listOf(term[name]).slice(0, kept.length), kept);
  });
}
