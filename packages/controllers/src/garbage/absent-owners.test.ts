import { expect, it } from 'vitest';
import { AbsentOwners } from './absent-owners.ts';

function owner(uid: string): Parameters<AbsentOwners['add']>[0] {
  return { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'a', name: 'x', uid };
}

it('remembers the last ones that were added or asked for', () => {
  const absent = new AbsentOwners(2);
  for (const uid of ['1', '2']) absent.add(owner(uid));
  expect(absent.has(owner('1'))).toBe(true);
  absent.add(owner('3'));
  expect(['1', '2', '3'].map((uid) => absent.has(owner(uid)))).toEqual([true, false, true]);
  expect(absent.size).toBe(2);
});

it('tells owners of one uid apart by where they are', () => {
  const absent = new AbsentOwners();
  absent.add(owner('1'));
  expect(absent.has({ ...owner('1'), namespace: 'b' })).toBe(false);
  expect(absent.has({ ...owner('1'), kind: 'Secret' })).toBe(false);
});
