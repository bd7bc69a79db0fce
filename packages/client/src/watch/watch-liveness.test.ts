import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type LivenessConfig,
  type LivenessInput,
  type LivenessState,
  livenessStep,
  openedAt,
} from './watch-liveness.ts';

const config: LivenessConfig = { timeoutMs: 300_000, marginMs: 5_000, heartbeatMs: 90_000 };

type Cell = LivenessState['type'];

const states: Readonly<Record<Cell, LivenessState>> = {
  resting: { type: 'resting', deadline: 305_000, beats: false },
  reading: { type: 'reading', deadline: 305_000, beats: false, due: 305_000, reason: 'deadline' },
  silent: { type: 'silent', reason: 'deadline' },
};

const inputs: Readonly<Record<LivenessInput['type'], LivenessInput>> = {
  read: { type: 'read', now: 1000 },
  events: { type: 'events' },
  bookmark: { type: 'bookmark' },
  time: { type: 'time', now: 305_000 },
};

const table: Readonly<Record<Cell, Readonly<Record<LivenessInput['type'], Cell>>>> = {
  resting: { read: 'reading', events: 'resting', bookmark: 'resting', time: 'resting' },
  reading: { read: 'reading', events: 'resting', bookmark: 'reading', time: 'silent' },
  silent: { read: 'silent', events: 'silent', bookmark: 'silent', time: 'silent' },
};

const cells = Object.entries(table).flatMap(([from, row]) =>
  Object.entries(row).map(([input, to]) => [from, input, to]),
);

test.each(cells)('%s, on %s, is %s', (from, input, to) => {
  const state = Object.entries(states).find(([type]) => type === from)?.[1];
  const given = Object.entries(inputs).find(([type]) => type === input)?.[1];
  if (state === undefined || given === undefined) return expect.unreachable();
  expect(livenessStep(config, state, given).type).toBe(to);
});

/** What becomes of a watch that was accepted at 0. */
function after(expected: LivenessConfig, ...given: readonly LivenessInput[]): LivenessState {
  return given.reduce((state, input) => livenessStep(expected, state, input), openedAt(0, expected));
}

test('the deadline is the agreed time and the margin', () => {
  expect(after(config, { type: 'read', now: 0 })).toMatchObject({ due: 305_000, reason: 'deadline' });
});

test('without an agreed time and without bookmarks, silence means nothing', () => {
  const open = { ...config, timeoutMs: 0 };
  expect(after(open, { type: 'read', now: 0 })).toMatchObject({ due: Infinity });
  expect(after(open, { type: 'read', now: 0 }, { type: 'time', now: 1e12 }).type).toBe('reading');
});

test('once a bookmark has been seen, each read is due after the heartbeat', () => {
  const given: LivenessInput[] = [{ type: 'read', now: 10 }, { type: 'events' }, { type: 'bookmark' }];
  expect(after(config, ...given, { type: 'read', now: 50 })).toMatchObject({ due: 90_050, reason: 'heartbeat' });
});

test('a heartbeat of 0 is none', () => {
  expect(after({ ...config, heartbeatMs: 0 }, { type: 'bookmark' }, { type: 'read', now: 0 })).toMatchObject({
    due: 305_000,
  });
});

test('who comes back to read behind the deadline still has the margin to find the end', () => {
  expect(after(config, { type: 'read', now: 900_000 })).toMatchObject({ due: 905_000, reason: 'deadline' });
});

test('nothing is ever given up while nobody reads, nor before the margin and the heartbeat have passed in one read', () => {
  const input = fc.oneof(
    fc.constant({ type: 'events' as const }),
    fc.constant({ type: 'bookmark' as const }),
    fc.record({ type: fc.constantFrom('read' as const, 'time' as const), now: fc.nat(600_000) }),
  );
  fc.assert(
    fc.property(fc.array(input), (given) => {
      let now = 0;
      let since = Infinity;
      let state = openedAt(0, config);
      for (const each of given) {
        now = 'now' in each ? Math.max(now, each.now) : now;
        const next = livenessStep(config, state, 'now' in each ? { ...each, now } : each);
        if (next.type === 'silent' && state.type !== 'silent') {
          expect(state.type).toBe('reading');
          expect(now - since).toBeGreaterThanOrEqual(Math.min(config.marginMs, config.heartbeatMs));
        }
        if (next.type === 'reading' && state.type !== 'reading') since = now;
        state = next;
      }
    }),
  );
});
