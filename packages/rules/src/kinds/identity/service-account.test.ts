import { expect, it } from 'vitest';
import { serviceAccount } from '../../strategy/built-in-definitions.fixture.ts';
import { created, sent } from '../../strategy/kind.fixture.ts';

it('a ServiceAccount without anything is its metadata', () => {
  expect(created(serviceAccount)).toEqual(sent(serviceAccount));
});

it('a ServiceAccount keeps the names of its secrets only', () => {
  const object = created(serviceAccount, { secrets: [{ name: 's', namespace: 'elsewhere', kind: 'Secret' }] });
  expect(object['secrets']).toEqual([{ name: 's' }]);
});
