import { expect, it } from 'vitest';
import { FieldSet, fieldPath } from '../fields/field-set.ts';
import type { ManagedEntry } from './managed-entry.ts';
import { remainingManagers, takenFields } from './owner-change.ts';
import type { VersionedComparison } from './typed-versions.ts';

const fields = FieldSet.of(fieldPath('spec', 'a'), fieldPath('spec', 'b'));

function entry(apiVersion: string): ManagedEntry {
  return { manager: 'm', operation: 'Update', apiVersion, time: '', subresource: '', fields };
}

/** Nothing is known in `v0`, which is not served any more. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing else of it is asked
const comparison = {
  in: (apiVersion: string) =>
    apiVersion === 'v0'
      ? undefined
      : { modified: FieldSet.of(fieldPath('spec', 'a')), added: FieldSet.EMPTY, removed: FieldSet.EMPTY },
} as unknown as VersionedComparison;

it('an entry of a version that is not served is dropped by a write of another, and nothing is taken from it', () => {
  const managers = new Map([
    ['old', entry('v0')],
    ['other', entry('v1')],
  ]);
  const taken = takenFields(managers, comparison, 'writer');
  expect([...taken.keys()]).toEqual(['other']);
  const remaining = remainingManagers(managers, comparison, taken, 'writer');
  expect([...remaining.keys()]).toEqual(['other']);
  expect(remaining.get('other')?.fields.equals(FieldSet.of(fieldPath('spec', 'b')))).toBe(true);
});

it('the entry of the writer itself stays as it is, whatever its version', () => {
  const managers = new Map([['writer', entry('v0')]]);
  expect(remainingManagers(managers, comparison, new Map(), 'writer')).toEqual(managers);
});
