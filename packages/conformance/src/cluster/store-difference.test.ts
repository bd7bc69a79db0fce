import { describe, expect, it } from 'vitest';
import { objectView, type StoredChange } from '../server/stored-change.ts';
import type { TokenMap } from './recorded-watcher.ts';
import { storeDifference } from './store-difference.ts';

function map(name: string, resourceVersion: string, token: string, app = 'web'): TokenMap {
  const metadata = { name, namespace: 'n', uid: `uid-${name}`, resourceVersion, labels: { app } };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { token } };
}

function stored(object: TokenMap): [string, StoredChange] {
  const { name, resourceVersion } = object.metadata;
  const revision = BigInt(resourceVersion ?? 0);
  return [`n/${name}`, { revision, key: `n/${name}`, object: objectView(object), previous: undefined }];
}

const [a, b] = [map('a', '5', 'x'), map('b', '7', 'y')];
const gone: StoredChange = { revision: 9n, key: 'n/gone', object: undefined, previous: undefined };
const truth = new Map([stored(a), stored(b), stored(map('other', '8', 'z', 'db')), ['n/gone', gone] as const]);
const web = { selects: ({ labels }: { readonly labels: Readonly<Record<string, string>> }) => labels['app'] === 'web' };

describe('the check of the store of an informer', () => {
  it('finds nothing when it has the selected objects in their last versions', () => {
    expect(storeDifference([a, b], web, truth)).toBeUndefined();
  });

  it.each([
    ['lacks an object', [a], 'has 1 objects, the store 2'],
    ['has an object that was deleted', [a, b, map('gone', '4', 'x')], 'still has n/gone'],
    ['has an object that is not selected', [a, b, map('other', '8', 'z')], 'still has n/other'],
    ['is behind', [map('a', '4', 'w'), b], 'has n/a at 4, the store at 5'],
    ['has another content at the same version', [map('a', '5', 'w'), b], 'has another n/a at 5'],
  ])('names one that %s', (_, objects, found) => {
    expect(storeDifference(objects, web, truth)).toBe(found);
  });
});
