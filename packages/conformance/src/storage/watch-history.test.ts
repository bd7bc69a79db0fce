import type { StorageEvent, WatchBatch } from '@listwatch/storage';
import { describe, expect, it } from 'vitest';
import { bytes } from './bytes.ts';
import { checkWatchHistory, type WatchGuarantee, type WatchRecord } from './watch-history.ts';

function put(revision: bigint, key: string, previousRevision?: bigint): StorageEvent {
  const previous =
    previousRevision === undefined
      ? undefined
      : { key, value: bytes(`v${previousRevision}`), modRevision: previousRevision };
  return { type: 'put', key, value: bytes(`v${revision}`), revision, previous };
}

const x2 = put(2n, '/a/x');
const x4 = put(4n, '/a/x', 2n);
const z5 = put(5n, '/a/z');
const w5 = put(5n, '/a/w');
const TRUTH = [x2, put(3n, '/b/y'), x4, z5, w5];

function batch(revision: bigint, ...events: readonly StorageEvent[]): WatchBatch {
  return { revision, events };
}

function record(...batches: readonly WatchBatch[]): WatchRecord {
  return { prefix: '/a/', segments: [{ after: 1n, batches }] };
}

function broken(watch: WatchRecord): readonly WatchGuarantee[] {
  return [...new Set(checkWatchHistory(TRUTH, watch).map((violation) => violation.guarantee))];
}

describe('the history checker', () => {
  it('finds nothing wrong with a right history, in one batch or in several, with progress in between', () => {
    expect(broken(record(batch(5n, x2, x4, z5, w5)))).toEqual([]);
    expect(broken(record(batch(2n, x2), batch(3n), batch(4n, x4), batch(5n, z5, w5), batch(9n)))).toEqual([]);
  });

  it('does not ask for events that the watch has not come to yet', () => {
    expect(broken(record(batch(3n, x2)))).toEqual([]);
  });

  it('reliable: names an event that is missing, has other contents, or was never committed', () => {
    expect(broken(record(batch(5n, x2, z5, w5)))).toEqual(['reliable']);
    expect(broken(record(batch(5n, x2, put(4n, '/a/x'), z5, w5)))).toEqual(['reliable']);
    expect(broken(record(batch(5n, x2, x4, z5, w5, put(5n, '/a/invented'))))).toEqual(['reliable']);
  });

  it('ordered: names an event that comes after a later one', () => {
    expect(broken(record(batch(5n, x4, x2, z5, w5)))).toEqual(['ordered']);
  });

  it('unique: names an event that comes twice', () => {
    expect(broken(record(batch(2n, x2), batch(4n, x2, x4)))).toEqual(['unique']);
  });

  it('atomic: names a revision that is split over two batches', () => {
    expect(broken(record(batch(4n, x2, x4), batch(5n, z5), batch(5n, w5)))).toEqual(['atomic']);
  });

  it('bookmarkable: names progress that goes back, lies behind its own events, or is belied by a later event', () => {
    expect(broken(record(batch(4n, x2, x4), batch(3n)))).toContain('bookmarkable');
    expect(broken(record(batch(3n, x2, x4)))).toContain('bookmarkable');
    expect(broken(record(batch(4n, x2), batch(5n, x4, z5, w5)))).toEqual(['bookmarkable']);
  });

  it('resumable: names a resumption at another place and an event from before it', () => {
    const first = { after: 1n, batches: [batch(3n, x2)] };
    const right = { prefix: '/a/', segments: [first, { after: 3n, batches: [batch(5n, x4, z5, w5)] }] };
    expect(broken(right)).toEqual([]);
    const elsewhere = { prefix: '/a/', segments: [first, { after: 4n, batches: [batch(5n, z5, w5)] }] };
    expect(broken(elsewhere)).toEqual(['resumable', 'reliable']);
    const repeated = { prefix: '/a/', segments: [first, { after: 3n, batches: [batch(5n, x2, x4, z5, w5)] }] };
    expect(broken(repeated)).toContain('resumable');
  });
});
