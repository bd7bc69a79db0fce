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

/** The keys that a page looks at, of the snapshot and of the candidates. */
function looked(request: PageRequest, candidates?: readonly CachedObject[]) {
  const snapshot = tree().snapshot(1n);
  const keys: string[] = [];
  const visit = snapshot.visit.bind(snapshot);
  vi.spyOn(snapshot, 'visit').mockImplementation((prefix, start, use) =>
    visit(prefix, start, (one) => {
      keys.push(one.key);
      return use(one);
    }),
  );
  const page = snapshotPage(snapshot, request, candidates);
  return { page, keys };
}

describe('a page', () => {
  const all = { namespace: '', name: '', labels: EVERY_LABEL, fields: EVERY_FIELD };
  const odd = { ...all, labels: parseLabelSelector('odd=true') };

  it('that is full looks at one object more, which says that another page follows', () => {
    const { page, keys } = looked({ scope: all, start: '', limit: 10 });
    expect([page.objects.length, keys.length, page.remaining]).toEqual([10, 11, OBJECTS - 10]);
    expect(page.next).toBe(`/${page.objects.at(-1)?.key}\0`);
  });

  it('of candidates looks at nothing else, unless it is full', () => {
    const candidates = Array.from({ length: OBJECTS }, (_, index) => object(index))
      .filter(({ labels }) => labels?.['odd'] === 'true')
      .toSorted((a, b) => (a.key < b.key ? -1 : 1));
    const whole = looked({ scope: odd, start: '', limit: 0 }, candidates);
    expect([whole.page.objects, whole.keys, whole.page.next]).toEqual([candidates, [], undefined]);
    const first = looked({ scope: odd, start: '', limit: 5 }, candidates);
    expect([first.page.objects, first.keys]).toEqual([candidates.slice(0, 5), []]);
    expect([first.page.next, first.page.remaining]).toEqual([`/${candidates[4]?.key}\0`, undefined]);
    // Nobody has looked behind the last candidate: what follows decides whether there is another page.
    const exact = looked({ scope: odd, start: '', limit: candidates.length }, candidates);
    expect([exact.page.objects, exact.keys, exact.page.next]).toEqual([candidates, [], undefined]);
    const own = candidates.filter(({ namespace }) => namespace === 'x');
    const followed = looked({ scope: { ...odd, namespace: 'x' }, start: '', limit: own.length }, candidates);
    expect([followed.page.objects, followed.keys.length]).toEqual([own, 1]);
    expect(followed.page.next).toBe(`/${own.at(-1)?.name}\0`);
  });

  it('that ends with the last object is the last one', () => {
    const { page } = looked({ scope: all, start: '', limit: OBJECTS });
    expect([page.objects.length, page.next, page.remaining]).toEqual([OBJECTS, undefined, undefined]);
  });
});

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
