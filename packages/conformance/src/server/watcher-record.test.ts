import { describe, expect, it } from 'vitest';
import type { LoadedObject, StoredChange } from './stored-change.ts';
import { checkWatcher, type SeenEvent, type WatcherSegment } from './watcher-record.ts';

function view(name: string, app: string, content: string): LoadedObject {
  return { namespace: 'n', name, labels: { app }, content };
}

const a1 = view('a', 'web', '1');
const a2 = view('a', 'web', '2');
const a3 = view('a', 'db', '3');
const b1 = view('b', 'web', '1');

/** a comes, changes, leaves the selection; b comes and goes. */
const truth: readonly StoredChange[] = [
  { revision: 1n, key: 'n/a', object: a1, previous: undefined },
  { revision: 2n, key: 'n/a', object: a2, previous: a1 },
  { revision: 3n, key: 'n/b', object: b1, previous: undefined },
  { revision: 4n, key: 'n/a', object: a3, previous: a2 },
  { revision: 5n, key: 'n/b', object: undefined, previous: b1 },
];

const seen = {
  state: { type: 'ADDED', version: 1n, object: a1 },
  end: { type: 'BOOKMARK', version: 1n, endsInitial: true },
  changed: { type: 'MODIFIED', version: 2n, object: a2 },
  added: { type: 'ADDED', version: 3n, object: b1 },
  left: { type: 'DELETED', version: 4n, object: a2 },
  gone: { type: 'DELETED', version: 5n, object: b1 },
} as const satisfies Record<string, SeenEvent>;

function bookmark(version: bigint): SeenEvent {
  return { type: 'BOOKMARK', version, endsInitial: false };
}

function endAt(version: bigint): SeenEvent {
  return { type: 'BOOKMARK', version, endsInitial: true };
}

function selects({ labels }: LoadedObject): boolean {
  return labels['app'] === 'web';
}

function broken(segments: readonly WatcherSegment[], until?: bigint, mayBeginEarlier = false): string | undefined {
  const record = { name: 'w', selects, segments, mayBeginEarlier };
  return checkWatcher(truth, record, until)?.guarantee;
}

function brokenBy(...events: SeenEvent[]): string | undefined {
  return broken([{ after: undefined, events: [seen.state, seen.end, ...events] }], 5n);
}

describe('the checker of watchers', () => {
  it('finds nothing in a right record, resumed in the middle and with bookmarks', () => {
    expect(brokenBy(seen.changed, seen.added, seen.left, seen.gone)).toBeUndefined();
    const segments: WatcherSegment[] = [
      { after: undefined, events: [seen.state] },
      { after: undefined, events: [seen.state, seen.end, seen.changed, bookmark(2n)] },
      { after: 2n, events: [seen.added] },
      { after: 3n, events: [seen.left, seen.gone, bookmark(9n)] },
    ];
    expect(broken(segments, 9n)).toBeUndefined();
  });

  it('names an initial state that lacks an object, has another one, or has no end', () => {
    expect(broken([{ after: undefined, events: [seen.end] }])).toBe('initial');
    expect(broken([{ after: undefined, events: [seen.added, seen.end] }])).toBe('initial');
    expect(broken([{ after: undefined, events: [seen.state, bookmark(1n)] }])).toBe('initial');
  });

  it('accepts an earlier state with the changes up to its end only where that is promised', () => {
    const events = (...before: SeenEvent[]): readonly WatcherSegment[] => [
      { after: undefined, events: [...before, endAt(4n), seen.gone] },
    ];
    const right = events(seen.state, seen.changed, seen.added, seen.left);
    expect(broken(right, 5n, true)).toBeUndefined();
    expect(broken(right, 5n)).toBe('initial');
    const changed: SeenEvent = { ...seen.changed, type: 'ADDED' };
    expect(broken(events(changed, seen.added, seen.left), 5n, true)).toBeUndefined();
    expect(broken(events(seen.added), 5n, true)).toBeUndefined();
    expect(broken(events({ ...seen.added, version: 2n }), 5n, true)).toBe('reliable');
    expect(broken(events({ ...seen.state, type: 'DELETED' }, seen.added), 5n, true)).toBe('reliable');
    expect(broken(events(seen.state, seen.changed, seen.added), 5n, true)).toBe('bookmarkable');
    expect(broken(events(seen.state, seen.added, seen.left), 5n, true)).toBe('reliable');
    expect(broken(events(seen.state, seen.changed, seen.added, seen.left, seen.gone), 5n, true)).toBe('ordered');
  });

  it('takes a state that was empty before and after its changes for the earlier one', () => {
    const events: SeenEvent[] = [seen.state, seen.changed, seen.added, seen.left, seen.gone, endAt(6n)];
    expect(broken([{ after: undefined, events }], 6n, true)).toBeUndefined();
  });

  it('accepts such a state after the history of an earlier one was lost, and none that ends before it', () => {
    const first: WatcherSegment = { after: undefined, events: [seen.state, seen.changed, seen.added, endAt(3n)] };
    const again: WatcherSegment = {
      after: undefined,
      events: [seen.state, seen.changed, seen.added, seen.left, endAt(4n)],
    };
    expect(broken([first, again], 4n, true)).toBeUndefined();
    expect(broken([first, { after: undefined, events: [seen.state, seen.changed, endAt(2n)] }], 4n, true)).toBe(
      'ordered',
    );
  });

  it('names an event that is missing, has another type or other contents', () => {
    expect(brokenBy(seen.added, seen.left, seen.gone)).toBe('reliable');
    expect(brokenBy(seen.changed, seen.added, seen.left)).toBe('reliable');
    expect(brokenBy({ ...seen.changed, type: 'ADDED' })).toBe('reliable');
    expect(brokenBy({ ...seen.changed, object: a3 })).toBe('reliable');
    expect(brokenBy(seen.changed, seen.added, { ...seen.left, object: a3 })).toBe('reliable');
  });

  it('names an event that comes again, and one that comes too late', () => {
    expect(brokenBy(seen.changed, seen.changed)).toBe('unique');
    expect(brokenBy(seen.changed, seen.added, seen.changed)).toBe('unique');
    const invented: SeenEvent = { type: 'ADDED', version: 2n, object: b1 };
    expect(brokenBy(seen.changed, seen.added, invented)).toBe('ordered');
  });

  it('names a bookmark that promises too much, and one that goes back', () => {
    expect(brokenBy(bookmark(2n))).toBe('bookmarkable');
    expect(brokenBy(seen.changed, seen.added, bookmark(2n))).toBe('ordered');
  });

  it('names a resumption from somewhere else', () => {
    const first: WatcherSegment = { after: undefined, events: [seen.state, seen.end] };
    expect(broken([first, { after: 2n, events: [seen.added] }])).toBe('resumable');
  });

  it('names a state with the right names and the wrong contents', () => {
    expect(broken([{ after: undefined, events: [{ ...seen.state, object: a2 }, seen.end] }])).toBe('convergent');
  });
});
