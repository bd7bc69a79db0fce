import { FakeClock } from '@listwatch/api/fake-clock';
import { storageError } from '@listwatch/conformance/storage';
import { expect, it } from 'vitest';
import { resolveFirstRevision } from './first-revision.ts';
import { createMemoryEngine } from './memory-engine.ts';

it('stores of one process never begin at the same revision, however fast they are made', async () => {
  const clock = new FakeClock();
  const first = Array.from({ length: 100 }, () => resolveFirstRevision(undefined, clock));
  expect(new Set(first).size).toBe(100);
  expect(first).toEqual(first.toSorted((a, b) => a - b));
});

it('revisions stay exact as numbers: the default is far below 2^53', () => {
  const { now } = Date;
  expect(resolveFirstRevision(undefined, { now, after: () => () => undefined })).toBeGreaterThanOrEqual(
    now() * 1000 - 1e6,
  );
  expect(Number.isSafeInteger(resolveFirstRevision(undefined, { now, after: () => () => undefined }))).toBe(true);
  expect(now() * 1000).toBeLessThan(2 ** 51);
});

it("a first revision of one's own: 1 begins as etcd does, with nothing compacted", async () => {
  await using engine = createMemoryEngine({ firstRevision: 1n });
  expect(await engine.revision()).toBe(1n);
  expect((await engine.range('', { at: 1n })).count).toBe(0);
  await engine.commit({ type: 'put', key: 'a', value: new Uint8Array(1) });
  expect((await engine.get('a')).entry?.modRevision).toBe(2n);
  await using later = createMemoryEngine({ firstRevision: 500n });
  expect(await later.revision()).toBe(500n);
  expect(await storageError(later.range('', { at: 499n }))).toMatchObject({ code: 'COMPACTED', revision: 500n });
  expect((await later.range('', { at: 500n })).count).toBe(0);
});

it('refuses a first revision that is none', () => {
  for (const bad of [0n, -1n, 2n ** 53n, 7]) {
    // @ts-expect-error a number is no revision for the compiler either
    expect(() => createMemoryEngine({ firstRevision: bad })).toThrow(/^firstRevision must be a revision/);
  }
});
