/** Conflicts of an apply, in the words of Kubernetes. */

import { quote, type StatusCause } from '@listwatch/api';
import { compareByteOrder } from '../fields/byte-order.ts';
import { type FieldSet, type ManagedFieldPath, managedFieldPathText } from '../fields/field-set.ts';
import type { ManagedEntry, Managers } from './managed-entry.ts';

/** What another manager owns of what an apply would change. */
export interface ManagerConflict {
  readonly identity: string;
  readonly owner: ManagedEntry;
  readonly fields: FieldSet;
}

/** The conflicts by the managers, in the order of their identities. */
export function conflictsOf(managers: Managers, taken: ReadonlyMap<string, FieldSet>): ManagerConflict[] {
  return [...taken]
    .toSorted(([one], [other]) => compareByteOrder(one, other))
    .flatMap(([identity, fields]) => {
      const owner = managers.get(identity);
      return owner === undefined ? [] : [{ identity, owner, fields }];
    });
}

/** The message and the causes of a 409. */
export function conflictReport(conflicts: readonly ManagerConflict[]): {
  readonly message: string;
  readonly causes: readonly StatusCause[];
} {
  const named = conflicts.map(({ owner, fields }) => ({ owner: ownerText(owner), paths: pathTexts(fields) }));
  const causes = named.flatMap(({ owner, paths }) =>
    paths.map((field) => ({ reason: 'FieldManagerConflict', message: `conflict with ${owner}`, field })),
  );
  const [only] = causes;
  const list = named
    .map(({ owner, paths }) => [`conflicts with ${owner}:`, ...paths.map((path) => `- ${path}`)].join('\n'))
    .join('\n');
  const message =
    causes.length === 1 && only !== undefined
      ? `Apply failed with 1 conflict: ${only.message}: ${only.field}`
      : `Apply failed with ${causes.length} conflicts: ${list}`;
  return { message, causes };
}

function pathTexts(fields: FieldSet): string[] {
  return fields.paths().map((path: ManagedFieldPath) => managedFieldPathText(path));
}

function ownerText({ manager, subresource, operation, apiVersion }: ManagedEntry): string {
  const where = subresource === '' ? '' : ` with subresource ${quote(subresource)}`;
  const how = operation === 'Update' ? ` using ${apiVersion}` : '';
  return `${quote(manager)}${where}${how}`;
}
