import { EVERY_FIELD, EVERY_LABEL, parseLabelSelector } from '@listwatch/api';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { CachedObject } from './cached-object.ts';
import { type PageRequest, pacedPage, snapshotPage } from './list-page.ts';
import { ObjectTree } from './object-tree.ts';

const OBJECTS = 3000;

function object(index: number): CachedObject {
  const name = `n${String(index).padStart(5, '0')}`;
  const namespace = index % 3 === 0 ? 'x' : 'y';
  const key = `${namespace}/${name}`;
  const odd = { odd: String(index % 100 === 99) };
  return { key, name, namespace, revision: 1n, bytes: Buffer.from('{}'), labels: odd, fields: {}, owned: false };
}

function tree(): ObjectTree {
  const made = new ObjectTree();
  for (let index = 0; index < OBJECTS; index += 1) made.set(object(index));
  return made;
}

/** Every look at the clock says that the time is over. */
function hurry(): void {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 3));
}

const requests = ['', 'odd=true', 'odd=nothing'].flatMap((labels) =>
  ['', 'x', 'y'].flatMap((namespace) =>
    [0, 7, 700, 5000].flatMap((limit) =>
      ['', 'n01500'].map((start): PageRequest => {
        const scope = {
          namespace,
          name: '',
          labels: labels === '' ? EVERY_LABEL : parseLabelSelector(labels),
          fields: EVERY_FIELD,
        };
        return { scope, start: namespace === '' && start !== '' ? `x/${start}` : start, limit };
      }),
    ),
  ),
);

afterEach(() => vi.restoreAllMocks());

describe('a page with breaks', () => {
  it('is the same as one without, whatever is asked for and whatever changes meanwhile', async () => {
    let pauses = 0;
    for (const request of requests) {
      const objects = tree();
      const snapshot = objects.snapshot(1n);
      const expected = snapshotPage(snapshot, request);
      hurry();
      const page = await pacedPage(snapshot, request, undefined, async () => {
        pauses += 1;
        // The tree goes on; the snapshot does not.
        objects.delete(object(pauses % OBJECTS).key);
        objects.set(object(OBJECTS + pauses));
      });
      vi.restoreAllMocks();
      expect(page).toEqual(expected);
    }
    expect(pauses).toBeGreaterThan(requests.length);
  });

  it('has none when it is made in time', () => {
    const snapshot = tree().snapshot(1n);
    const [request] = requests;
    vi.spyOn(performance, 'now').mockReturnValue(0);
    const page = request && pacedPage(snapshot, request, undefined, () => Promise.reject(new Error('a break')));
    expect(page).toHaveProperty('objects.length', OBJECTS);
  });

  it('ends with its request', async () => {
    const snapshot = tree().snapshot(1n);
    const [request] = requests;
    hurry();
    const page = request && pacedPage(snapshot, request, undefined, () => Promise.reject(new Error('the client left')));
    await expect(page).rejects.toThrow('the client left');
  });
});
