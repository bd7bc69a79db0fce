import { TransportError } from '@listwatch/client';
import { describe, expect, it } from 'vitest';
import { type BookmarkRun, bookmarksFinding } from './checks/bookmarks-check.ts';
import { clockSkew } from './checks/clock-check.ts';
import { permissionFindings } from './checks/permissions-check.ts';
import { quietFinding } from './checks/quiet-check.ts';
import { isWrong, worst } from './finding.ts';
import { TimeIsUp, withLimit } from './limited-time.ts';
import { quantile } from './quantile.ts';
import { ageBounds } from './version-age.ts';

const answer = (date: number, sentAt: number, receivedAt: number) => ({
  headers: { date: new Date(date).toUTCString() },
  sentAt,
  receivedAt,
});

describe('the clock', () => {
  it('is known to a second and the round trip', () => {
    expect(clockSkew([answer(10_000, 10_100, 10_300)])).toEqual({ least: -300, most: 900 });
  });

  it('is known better by several answers', () => {
    const answers = [answer(10_000, 10_100, 10_300), answer(10_000, 10_900, 10_950), answer(11_000, 11_010, 11_020)];
    expect(clockSkew(answers)).toEqual({ least: -20, most: 100 });
  });

  it('that was set between two answers keeps the first range', () => {
    expect(clockSkew([answer(10_000, 10_000, 10_100), answer(60_000, 10_200, 10_300)])).toEqual({
      least: -100,
      most: 1000,
    });
  });

  it('is unknown without a Date header', () => {
    expect(clockSkew([{ headers: { date: 'soon' }, sentAt: 0, receivedAt: 1 }])).toBeUndefined();
  });
});

const run = (facts: Partial<BookmarkRun>): BookmarkRun => ({
  name: 'pods',
  durationMs: 300_000,
  bookmarks: [],
  outcome: { type: 'ended', ms: 300_000 },
  hasMoved: true,
  ...facts,
});

describe('bookmarks', () => {
  it.each([
    ['one a minute', run({ bookmarks: [60_000, 121_000, 181_500, 242_000, 298_000] }), 'ok', 'one every 61 s'],
    ['one in two minutes', run({ bookmarks: [120_000, 240_000, 298_000] }), 'warn', 'only one every 2m'],
    ['one alone', run({ bookmarks: [18_000] }), 'ok', 'pass --duration 5m'],
    ['none', run({}), 'warn', 'although the cluster changed'],
    ['none in a cluster that stands still', run({ hasMoved: false }), 'note', 'nothing changed'],
    [
      'none before the watch broke',
      run({ outcome: { type: 'failed', ms: 5000, error: new TransportError('CLOSED', 'reset') } }),
      'warn',
      'broke: reset after 5 s, before a bookmark was due',
    ],
    ['none before the watch was ended', run({ outcome: { type: 'ended', ms: 5000 } }), 'warn', 'was ended after 5 s'],
    [
      'an error',
      run({ outcome: { type: 'error', ms: 5, status: { code: 410, reason: 'Expired', message: 'old' } } }),
      'fail',
      '410 Expired: old',
    ],
  ])('%s', (_name, facts, verdict, summary) => {
    const finding = bookmarksFinding(facts);
    expect(finding.verdict).toBe(verdict);
    expect(finding.summary).toContain(summary);
  });
});

describe('a quiet watch of 60 s', () => {
  it.each([
    [{ type: 'ended', ms: 60_004 }, 'ok'],
    [{ type: 'ended', ms: 59_000 }, 'ok'],
    [{ type: 'ended', ms: 30_000 }, 'warn'],
    [{ type: 'failed', ms: 30_000, error: new TransportError('CLOSED', 'reset') }, 'warn'],
    [{ type: 'failed', ms: 60_001, error: new TransportError('CLOSED', 'reset') }, 'warn'],
    [{ type: 'failed', ms: 62_000, error: new TransportError('IDLE_TIMEOUT', 'silent') }, 'warn'],
    [{ type: 'error', ms: 30_000, status: { code: 500 } }, 'fail'],
    [{ type: 'failed', ms: 5, error: new TransportError('PROTOCOL', 'HTML') }, 'fail'],
  ] as const)('%j: %s', (outcome, verdict) => {
    expect(quietFinding(60_000, outcome).verdict).toBe(verdict);
  });
});

const may = (name: string, list: boolean, watch: boolean) => ({ name, list, watch });

describe('permissions', () => {
  it.each([
    [[may('pods', true, true)], ['ok']],
    [[may('pods', true, true), may('secrets', false, false)], ['note']],
    [
      [may('pods', true, false), may('secrets', false, false)],
      ['warn', 'note'],
    ],
    [[may('pods', false, true), may('secrets', true, true)], ['warn']],
    [[may('secrets', false, false)], ['fail']],
  ])('%j: %j', (permissions, verdicts) => {
    expect(permissionFindings(permissions).map(({ verdict }) => verdict)).toEqual(verdicts);
  });
});

it('the age of a version lies between those of its neighbours', () => {
  const dated = [
    { version: 10n, time: 1000 },
    { version: 20n, time: 2000 },
    { version: 30n, time: 3000 },
  ];
  expect(ageBounds(dated, 20n, 10_000)).toEqual({ leastMs: 8000, mostMs: 9000 });
  expect(ageBounds(dated, 5n, 10_000)).toEqual({ leastMs: 9000, mostMs: undefined });
  expect(ageBounds(dated, 31n, 10_000)).toEqual({ leastMs: undefined, mostMs: 7000 });
});

it('quantiles are values that were measured', () => {
  const values = Array.from({ length: 100 }, (_, index) => 100 - index);
  expect([0, 0.5, 0.99, 1].map((q) => quantile(values, q))).toEqual([1, 50, 99, 100]);
  expect(quantile([], 0.5)).toBeNaN();
});

it('a warning or a failure is wrong, whatever else there is', () => {
  expect(worst(['ok', 'warn', 'skipped', 'note'])).toBe('warn');
  expect(worst([])).toBe('skipped');
  expect((['ok', 'note', 'skipped', 'warn', 'fail'] as const).filter(isWrong)).toEqual(['warn', 'fail']);
});

describe('a time limit', () => {
  it('holds for work that ignores its signal', async () => {
    const stuck = withLimit(5, new AbortController().signal, () => new Promise<never>(() => {}));
    await expect(stuck).rejects.toBeInstanceOf(TimeIsUp);
  });

  it('aborts what is still under way when the work is over', async () => {
    let seen: AbortSignal | undefined;
    await withLimit(10_000, new AbortController().signal, async (signal) => {
      seen = signal;
    });
    expect(seen?.aborted).toBe(true);
  });

  it('rejects with the reason of the outer signal', async () => {
    const outer = new AbortController();
    const stuck = withLimit(10_000, outer.signal, () => new Promise<never>(() => {}));
    outer.abort(new Error('Ctrl-C'));
    await expect(stuck).rejects.toThrow('Ctrl-C');
    await expect(withLimit(1, outer.signal, async () => 1)).rejects.toThrow('Ctrl-C');
  });
});
