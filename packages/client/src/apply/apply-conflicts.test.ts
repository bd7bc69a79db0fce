import { applyConflict, isConflict, notFound } from '@listwatch/api';
import { expect, test } from 'vitest';
import { applyConflicts } from './apply-conflicts.ts';

const cause = (message: string, field = '.data.k') => ({ reason: 'FieldManagerConflict', message, field });

test('the conflicts of an apply name the manager and the field', () => {
  const error = applyConflict('Apply failed with 4 conflicts', [
    cause('conflict with "a"'),
    cause('conflict with "editor" using v1', '.spec.replicas'),
    cause('conflict with "scaler" with subresource "scale" using apps/v1'),
    cause(String.raw`conflict with "say \"hi\"" using v1`),
    cause(String.raw`conflict with "bell \x07" using v1`),
    cause('conflict with an update manager'),
  ]);
  expect(isConflict(error)).toBe(true);
  expect(applyConflicts(error)).toEqual([
    { manager: 'a', field: '.data.k', message: 'conflict with "a"' },
    { manager: 'editor', field: '.spec.replicas', message: 'conflict with "editor" using v1' },
    { manager: 'scaler', field: '.data.k', message: 'conflict with "scaler" with subresource "scale" using apps/v1' },
    { manager: 'say "hi"', field: '.data.k', message: String.raw`conflict with "say \"hi\"" using v1` },
    { manager: String.raw`bell \x07`, field: '.data.k', message: String.raw`conflict with "bell \x07" using v1` },
    { manager: '', field: '.data.k', message: 'conflict with an update manager' },
  ]);
});

test('no other error has conflicts of an apply', () => {
  expect(applyConflicts(notFound({ group: '', plural: 'pods' }, 'a'))).toEqual([]);
  expect(applyConflicts(new Error('x'))).toEqual([]);
  expect(applyConflicts(applyConflict('m', [{ reason: 'Other', message: 'conflict with "a"' }]))).toEqual([]);
});
