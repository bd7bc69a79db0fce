import type { StorageEvent } from '@listwatch/storage';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EtcdWatchMessage, WireEvent } from './watch-messages.ts';
import { startRevision, stepWatch, type WatchState, watchFrom } from './watch-state.ts';

const NONE: EtcdWatchMessage = {
  revision: 0,
  created: false,
  canceled: false,
  compactRevision: 0,
  cancelReason: '',
  fragment: false,
  events: [],
};

function put(revision: number, key = 'k'): WireEvent {
  const value = new Uint8Array();
  return {
    type: 'put',
    kv: {
      entry: { key, value, modRevision: BigInt(revision) },
      createRevision: revision,
      modRevision: revision,
      version: 1,
    },
    previous: undefined,
  };
}

function update(revision: number, previous: number | undefined): WireEvent {
  const { kv } = put(revision);
  const entry = { key: 'k', value: new Uint8Array(), modRevision: BigInt(previous ?? 0) };
  return { type: 'put', kv: { ...kv, createRevision: 1 }, previous: previous === undefined ? undefined : entry };
}

function revisions(events: readonly StorageEvent[]): readonly number[] {
  return events.map((event) => Number(event.revision));
}

describe('the position of a watch', () => {
  const state: WatchState = { position: 10, held: [], created: true };

  it('does not move with the header of the created message', () => {
    const step = stepWatch(watchFrom(10), { ...NONE, created: true, revision: 20_000 });
    expect(step).toEqual({ type: 'wait', state: { position: 10, held: [], created: true } });
  });

  it('moves to the last event, not to the header of the message that brings it', () => {
    const step = stepWatch(state, { ...NONE, revision: 20_000, events: [put(11), put(14)] });
    expect(step).toMatchObject({ type: 'deliver', state: { position: 14 } });
  });

  it('moves with progress', () => {
    const step = stepWatch(state, { ...NONE, revision: 30 });
    expect(step).toMatchObject({ type: 'deliver', events: [], state: { position: 30 } });
  });

  it('does not go back with the progress of a member that lags behind', () => {
    expect(stepWatch(state, { ...NONE, revision: 9 })).toEqual({ type: 'wait', state });
  });

  it('is asked for again, so that etcd refuses what has been compacted, and from 1 at the earliest', () => {
    expect(startRevision(state)).toBe(10);
    expect(startRevision(watchFrom(0))).toBe(1);
  });
});

describe('events', () => {
  const state: WatchState = { position: 10, held: [], created: true };

  it('at or before the position are dropped: they have been delivered', () => {
    const step = stepWatch(state, { ...NONE, events: [put(9), put(10), put(11)] });
    expect(step.type === 'deliver' && revisions(step.events)).toEqual([11]);
    expect(stepWatch(state, { ...NONE, events: [put(10)] })).toEqual({ type: 'wait', state });
  });

  it('of a revision that may go on in the next fragment wait for it', () => {
    const first = stepWatch(state, { ...NONE, fragment: true, events: [put(11), put(12, 'a')] });
    expect(first.type === 'deliver' && revisions(first.events)).toEqual([11]);
    if (first.type !== 'deliver') return;
    const second = stepWatch(first.state, { ...NONE, fragment: true, events: [put(12, 'b')] });
    expect(second.type).toBe('wait');
    if (second.type !== 'wait') return;
    const last = stepWatch(second.state, { ...NONE, events: [put(12, 'c'), put(13)] });
    expect(last.type === 'deliver' && last.events.map(({ key }) => key)).toEqual(['a', 'b', 'c', 'k']);
  });

  it('without the value that they replaced make a gap, unless they created the key', () => {
    expect(stepWatch(state, { ...NONE, events: [update(11, 9)] })).toMatchObject({ type: 'deliver' });
    expect(stepWatch(state, { ...NONE, events: [update(11, undefined)] })).toEqual({ type: 'gap', revision: 11 });
    const removed: WireEvent = { ...put(11), type: 'delete' };
    expect(stepWatch(state, { ...NONE, events: [removed] })).toEqual({ type: 'gap', revision: 11 });
  });

  it('out of order are an error', () => {
    expect(stepWatch(state, { ...NONE, events: [put(12), put(11)] })).toEqual({ type: 'disorder', revision: 11 });
  });
});

describe('the end', () => {
  it('is told apart: compacted, cancelled', () => {
    expect(stepWatch(watchFrom(3), { ...NONE, canceled: true, compactRevision: 7 })).toEqual({
      type: 'compacted',
      revision: 7,
    });
    expect(stepWatch(watchFrom(3), { ...NONE, canceled: true, cancelReason: 'etcdserver: no leader' })).toEqual({
      type: 'canceled',
      reason: 'etcdserver: no leader',
    });
  });
});

/** What etcd would send from `start` on: messages cut at random, some of them as fragments. */
function* messages(history: readonly number[], start: number, cuts: readonly number[]): Generator<EtcdWatchMessage> {
  const header = history.at(-1) ?? 1;
  yield { ...NONE, created: true, revision: header };
  let rest = history.filter((revision) => revision >= start).map((revision, i) => put(revision, `k${i}`));
  for (let i = 0; rest.length > 0; i += 1) {
    const size = Math.min(rest.length, cuts[i % cuts.length] ?? 1);
    const [last, next] = [rest[size - 1]?.kv.modRevision, rest[size]?.kv.modRevision];
    yield { ...NONE, revision: header, fragment: last === next, events: rest.slice(0, size) };
    rest = rest.slice(size);
  }
  yield { ...NONE, revision: header + 5 };
}

describe('any history, in any fragments, through any number of broken streams', () => {
  it('arrives whole, in order, once, and never with a revision split over two batches', () => {
    const steps = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 60 });
    const cuts = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 8 });
    const breaks = fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 10 });
    fc.assert(
      fc.property(steps, cuts, breaks, (increments, cut, broken) => {
        let revision = 1;
        const history = increments.map((increment) => (revision += increment));
        const after = history[Math.floor(history.length / 3)] ?? 1;
        let state = watchFrom(after);
        const seen: number[] = [];
        const batches: number[][] = [];
        for (const life of [...broken, Number.POSITIVE_INFINITY]) {
          state = watchFrom(state.position);
          let received = 0;
          for (const message of messages(history, startRevision(state), cut)) {
            received += 1;
            if (received > life) break;
            const step = stepWatch(state, message);
            expect(['wait', 'deliver']).toContain(step.type);
            if (step.type !== 'wait' && step.type !== 'deliver') return;
            state = step.state;
            if (step.type === 'deliver') batches.push([...revisions(step.events)]);
          }
        }
        for (const batch of batches) seen.push(...batch);
        expect(seen).toEqual(history.filter((one) => one > after));
        const lastOf = batches.filter((batch) => batch.length > 0).map((batch) => batch.at(-1));
        expect(new Set(lastOf).size).toBe(lastOf.length);
      }),
    );
  });
});
