/** ResourceQuota: how much a namespace may use. */

import { type FieldError, fieldInvalid } from '@listwatch/api';
import { listOf, recordOf, sameJson, textOf } from '@listwatch/api/values';
import { column, namedTable } from '../../columns/table-column.ts';
import type { KubeObject } from '../../kube-object.ts';
import type { KindRules } from '../../strategy/kind-rules.ts';
import { itemErrors } from '../../validation/item-errors.ts';
import { validateAmountOf, validateQuotaResource } from '../../validation/resource-names.ts';
import { validateQuotaScopes } from './quota-scopes.ts';

type Errors = readonly FieldError[];

/** The rules of ResourceQuota. */
export const resourceQuota: KindRules = {
  columns: namedTable(
    [column('Request', 'What is used, of how much.'), column('Limit', 'The limits of what runs, of how much.')],
    (object) => {
      const { hard, used } = recordOf(object['status']);
      return [usageCell(hard, used, false), usageCell(hard, used, true)];
    },
  ),
  validate,
  validateUpdate: (object, old) => [...validate(object), ...validateScopeChange(object, old)],
};

function validate(object: KubeObject): Errors {
  const spec = recordOf(object['spec']);
  const status = recordOf(object['status']);
  return [
    ...validateAmounts(spec['hard'], 'spec.hard'),
    ...validateQuotaScopes(spec, 'spec'),
    ...validateAmounts(status['hard'], 'status.hard'),
    ...validateAmounts(status['used'], 'status.used'),
  ];
}

function validateScopeChange(object: KubeObject, old: KubeObject): Errors {
  const { scopes } = recordOf(object['spec']);
  const before = recordOf(old['spec'])['scopes'];
  if (sameJson(distinct(scopes), distinct(before))) return [];
  return [fieldInvalid('spec.scopes', scopes ?? null, 'field is immutable')];
}

function distinct(scopes: unknown): readonly string[] {
  return [...new Set(listOf(scopes).map(textOf))].toSorted();
}

function validateAmounts(amounts: unknown, field: string): Errors {
  return itemErrors(Object.entries(recordOf(amounts)), ([name, amount]) => [
    ...validateQuotaResource(name, `${field}[${name}]`),
    ...validateAmountOf(name, amount, `${field}[${name}]`),
  ]);
}

/** `pods: 1/10, secrets: 0/5`, either for `limits.*` or for all other resources. */
function usageCell(hard: unknown, used: unknown, limits: boolean): string {
  return Object.entries(recordOf(hard))
    .filter(([name]) => name.startsWith('limits.') === limits)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, amount]) => `${name}: ${textOf(recordOf(used)[name]) || '0'}/${textOf(amount)}`)
    .join(', ');
}
