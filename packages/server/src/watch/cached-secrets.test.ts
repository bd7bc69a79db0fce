import { FakeClock } from '@listwatch/api/fake-clock';
import { expect, it } from 'vitest';
import { ResourceCache } from '../cache/resource-cache.ts';
import { secret } from '../kinds/built-in-definitions.fixture.ts';
import { secretLookup } from './cached-secrets.ts';

const cache = new ResourceCache({ definition: secret, clock: new FakeClock() });

function load(revision: bigint, metadata: object = {}): void {
  const object = {
    metadata: { namespace: 'kube-system', name: 'a', ...metadata },
    type: 'bootstrap.kubernetes.io/token',
    data: { 'token-id': Buffer.from('é1').toString('base64') },
  };
  const entry = {
    key: `${cache.root}kube-system/a`,
    value: Buffer.from(JSON.stringify(object)),
    modRevision: revision,
  };
  cache.load([entry], revision);
}

it('a Secret is found by its name, read once for each version of it, and is not there when the cache is away', () => {
  const find = secretLookup(cache);
  expect(() => find('kube-system', 'a')).toThrow('storage is (re)initializing');
  load(1n);
  const found = find('kube-system', 'a');
  expect(found).toEqual({
    type: 'bootstrap.kubernetes.io/token',
    data: new Map([['token-id', 'é1']]),
    isDeleting: false,
  });
  expect(find('kube-system', 'a')).toBe(found);
  expect([find('kube-system', 'b'), find('default', 'a')]).toEqual([undefined, undefined]);
  load(2n, { deletionTimestamp: '2026-01-01T00:00:00Z' });
  expect(find('kube-system', 'a')?.isDeleting).toBe(true);
  cache.lose('away');
  expect(() => find('kube-system', 'a')).toThrow('storage is (re)initializing');
});
