import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { needs } from '@listwatch/conformance/parts';
import type { ResourceCache } from '@listwatch/server/read';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PlayedUpstream, pod } from '../feed/played-upstream.fixture.ts';
import type { RelayedKind } from '../kinds/relayed-kind.ts';
import type { JournalFacts } from './journal-record.ts';
import { KindJournal, type KindJournalParts } from './kind-journal.ts';
import { readJournal } from './read-journal.ts';

const FACTS: JournalFacts = { kind: '/v1/pods', cluster: 'cluster-1', release: 'v1.36.3', schema: '' };
const KEY = Buffer.alloc(32, 7);
const AGAIN_MS = 300_000;

let folder = '';
let path = '';
let warnings: string[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'listwatch-journal-'));
  path = join(folder, 'pods.journal');
  warnings = [];
});

afterEach(() => {
  spawnSync('umount', [folder]);
  rmSync(folder, { recursive: true, force: true });
});

/** A life of the relay: a feed with its journal. */
interface Life {
  readonly played: PlayedUpstream;
  readonly journal: KindJournal;
}

async function live(changes: Partial<KindJournalParts> = {}, version = '1', newest?: string): Promise<Life> {
  let journal: KindJournal | undefined;
  const played = await PlayedUpstream.start(
    'pods',
    (kind: RelayedKind, cache: ResourceCache) => {
      journal = new KindJournal({
        name: kind.name,
        path,
        key: undefined,
        cache,
        clock: { now: () => 1000, monotonic: () => played?.clock.monotonic() ?? 0, after: () => () => {} },
        servesUnasked: false,
        facts: async () => FACTS,
        check: async () => {},
        onWarning: (message) => warnings.push(message),
        ...changes,
      });
      return journal;
    },
    { version, listed: newest },
  );
  if (journal === undefined) throw new Error('there is no journal');
  return { played, journal };
}

/** Files take turns of the event loop. */
async function until({ played }: Life, isTrue: () => boolean): Promise<void> {
  const end = performance.now() + 30_000;
  while (!isTrue() && performance.now() < end) {
    await played.clock.advance(0);
    await setImmediate();
  }
  expect(isTrue()).toBe(true);
}

async function listed(life: Life): Promise<void> {
  await until(life, () => life.played.streams.length > 0);
  life.played.stream.send('ADDED', pod('one', 3));
  life.played.stream.send('ADDED', pod('two', 4));
  life.played.stream.bookmark('10', true);
  await until(life, () => life.played.cache.generation !== undefined);
}

async function written(life: Life): Promise<void> {
  await until(life, () => life.journal.state.state !== 'writing');
  await life.journal.close();
}

async function ended(life: Life): Promise<void> {
  life.played.feeds.stop();
  await written(life);
}

/** Sends the next version of an object, and waits until the journal has it or has failed to write it. */
async function sendChange(life: Life, version: number): Promise<void> {
  const { counts } = life.journal;
  const done = (): number => counts.bases + counts.batches + counts.failures;
  const before = done();
  const isKept = life.journal.state.state !== 'given up';
  life.played.stream.send('MODIFIED', pod('one', version));
  await until(life, () => life.played.cache.generation?.revision === BigInt(version));
  if (isKept) await until(life, () => done() > before);
}

/** A first life: two objects, three changes. */
async function filled(changes: Partial<KindJournalParts> = {}): Promise<void> {
  const life = await live(changes);
  await listed(life);
  life.played.stream.send('MODIFIED', pod('one', 12));
  life.played.stream.send('DELETED', pod('two', 13));
  life.played.stream.send('ADDED', pod('three', 14));
  life.played.stream.bookmark('20');
  await until(life, () => life.played.cache.generation?.revision === 20n);
  await ended(life);
}

/** The second life, when it can be read from. */
async function restored(changes: Partial<KindJournalParts> = {}, newest = '14'): Promise<Life> {
  const life = await live(changes, '999', newest);
  await until(life, () => life.played.cache.generation !== undefined || life.played.streams.length > 0);
  return life;
}

describe('a kind that is kept in a journal', () => {
  it.each([
    ['plain', undefined],
    ['encrypted', KEY],
  ])('goes on where it was, with its window, without a list (%s)', async (_, key) => {
    await filled({ key });
    const life = await restored({ key });
    const { generation } = life.played.cache;
    expect([life.played.names, generation?.revision]).toEqual([['one', 'three'], 20n]);
    expect(generation?.get('a/one')?.bytes.toString()).toBe(pod('one', 12));
    expect([generation?.window.oldestStart, generation?.window.size]).toEqual([10n, 3]);
    expect(generation?.snapshotAt(12n)?.get('a/two')?.bytes.toString()).toBe(pod('two', 4));
    await until(life, () => life.played.streams.length > 0);
    expect(life.played.stream.query.resourceVersion).toBe('20');
    expect([life.played.feed.counts.loads, warnings]).toEqual([0, []]);
    await ended(life);
  });

  it('goes on again and again with the same window', async () => {
    await filled();
    for (let i = 0; i < 3; i += 1) {
      const life = await restored();
      expect(life.played.cache.generation?.window.oldestStart).toBe(10n);
      await ended(life);
    }
    const journal = await readJournal(path, undefined);
    expect(journal?.objects.map(({ key }) => key)).toEqual(['a/one', 'a/two']);
    expect(journal?.batches.flatMap(({ changes }) => changes).map(({ key, revision }) => `${key}@${revision}`)).toEqual(
      ['a/one@12', 'a/two@13', 'a/three@14'],
    );
  });

  it('lies in a file of its owner alone', async () => {
    await filled();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['pods.journal']);
  });

  it('cannot be read in its file when there is a key', async () => {
    await filled({ key: KEY });
    const bytes = readFileSync(path).toString('latin1');
    expect(bytes).not.toContain('three');
    expect(bytes).not.toContain('cluster-1');
    await filled();
    expect(readFileSync(path).toString('latin1')).toContain('three');
  });
});

describe('a journal', () => {
  const states = [
    [12n, ['one', 'two']],
    [13n, ['one']],
    [14n, ['one', 'three']],
    [20n, ['one', 'three']],
  ] as const;

  /** What could be read is the whole base and a prefix of the changes, or nothing. */
  async function readsNothingElse(bytes: Buffer, key: Uint8Array | undefined, isWhole: boolean): Promise<boolean> {
    writeFileSync(path, bytes);
    try {
      const journal = await readJournal(path, key);
      expect(journal?.objects.map(({ key: of, value }) => `${of} ${Buffer.from(value).toString()}`)).toEqual([
        `a/one ${pod('one', 3)}`,
        `a/two ${pod('two', 4)}`,
      ]);
      const read = journal?.batches.map(({ revision }) => revision) ?? [];
      expect(read).toEqual(states.map(([revision]) => revision).slice(0, read.length));
      if (!isWhole) expect(journal?.unused === 0 && read.length === states.length).toBe(false);
      return true;
    } catch (error) {
      if (!(error instanceof Error) || error.name === 'AssertionError') throw error;
      expect(error.message).toMatch(/^it(?:s base)? is /u);
      return false;
    }
  }

  it.each([
    ['plain', undefined],
    ['encrypted', KEY],
  ])(
    'that is cut at any byte has its base and the changes before the cut, or nothing (%s)',
    async (_, key) => {
      await filled({ key });
      const whole = readFileSync(path);
      let usable = 0;
      for (let at = 0; at < whole.length; at += 1)
        if (await readsNothingElse(whole.subarray(0, at), key, false)) usable += 1;
      expect(usable).toBeGreaterThan(100);
      expect(usable).toBeLessThan(whole.length - 100);
      expect(await readsNothingElse(whole, key, true)).toBe(true);
    },
    60_000,
  );

  it.each([
    ['plain', undefined],
    ['encrypted', KEY],
  ])(
    'of which any byte was changed has nothing that was not written (%s)',
    async (_, key) => {
      await filled({ key });
      const whole = readFileSync(path);
      for (let at = 0; at < whole.length; at += key === undefined ? 1 : 3) {
        const changed = Buffer.from(whole);
        changed[at] = (changed[at] ?? 0) ^ 0x01;
        await readsNothingElse(changed, key, false);
      }
    },
    60_000,
  );

  it('whose end is lost goes on from what is before it, and says so', async () => {
    await filled();
    writeFileSync(path, readFileSync(path).subarray(0, -5));
    const life = await restored();
    expect([life.played.names, life.played.cache.generation?.revision]).toEqual([['one', 'three'], 14n]);
    expect(warnings.join()).toMatch(/the last \d+ bytes of its journal cannot be read/u);
    await ended(life);
  });

  interface Spoiled {
    readonly changes?: Partial<KindJournalParts>;
    readonly reason: RegExp;
    readonly spoil?: (file: string) => void;
  }

  const SPOILED: Readonly<Record<string, Spoiled>> = {
    'of something else': {
      changes: { check: () => Promise.reject(new Error('it is of another cluster')) },
      reason: /another cluster/u,
    },
    'with another key': { changes: { key: Buffer.alloc(32, 8) }, reason: /with another key/u },
    'without its key': { changes: { key: undefined }, reason: /encrypted, and there is no key/u },
    'of another program': {
      reason: /no journal of this program/u,
      spoil: (file) => writeFileSync(file, 'x'.repeat(500)),
    },
    'that is empty': { reason: /cut short/u, spoil: (file) => writeFileSync(file, '') },
    'that others may write': {
      reason: /others could write it \(mode 666\)/u,
      spoil: (file) => chmodSync(file, 0o666),
    },
    'that is a link': {
      reason: /ELOOP/u,
      spoil: (file) => {
        renameSync(file, `${file}.real`);
        symlinkSync(`${file}.real`, file);
      },
    },
  };

  it.each(Object.entries(SPOILED))(
    '%s is not used: the kind is listed, and the reason is said',
    async (_, { changes = {}, reason, spoil }) => {
      await filled({ key: KEY });
      spoil?.(path);
      const life = await restored({ key: KEY, ...changes });
      expect([life.played.cache.generation, life.played.stream.query.resourceVersion]).toEqual([undefined, '0']);
      expect(warnings.join()).toMatch(reason);
      await listed(life);
      expect(life.played.feed.counts.loads).toBe(1);
      await ended(life);
      // The next life goes on from that list.
      warnings = [];
      const next = await restored({ key: KEY, ...changes, check: async () => {} }, '4');
      expect([next.played.feed.counts.loads, warnings]).toEqual([0, []]);
      await ended(next);
    },
  );

  it('without a key is not used where there should be one: anybody may have written it', async () => {
    await filled();
    const life = await restored({ key: KEY });
    expect(warnings.join()).toMatch(/it is not encrypted, as it should be/u);
    await ended(life);
  });

  it('of an upstream that was restored is removed at once, before its kind is listed', async () => {
    await filled();
    const life = await restored();
    await until(life, () => life.journal.state.state === 'kept');
    life.played.feed.restart('the upstream server was restored');
    await until(life, () => !readdirSync(folder).includes('pods.journal'));
    await ended(life);
  });

  it('stays small: it begins again with another base', async () => {
    const life = await live({ minChangesBytes: 2000 });
    await listed(life);
    for (let version = 11; version < 400; version += 1) {
      await sendChange(life, version);
      // The objects and the window, and as much again: each change has less than 250 bytes.
      const window = life.played.cache.generation?.window.size ?? 0;
      expect(life.journal.state.bytes).toBeLessThan(2 * ((window + 3) * 250 + 2000));
    }
    expect(life.journal.counts.bases).toBeGreaterThan(2);
    await ended(life);
    const next = await restored({}, '399');
    expect([next.played.cache.generation?.revision, next.played.feed.counts.loads]).toEqual([399n, 0]);
    await ended(next);
  });

  it('is not begun while the upstream does not say which cluster it is', async () => {
    const life = await live({ facts: () => Promise.reject(new Error('which cluster?')) });
    await listed(life);
    await until(life, () => life.journal.state.state === 'given up');
    expect(readdirSync(folder)).toEqual([]);
    expect(warnings.join()).toContain('which cluster?');
    await ended(life);
  });
});

describe('a disk that is full', needs('tmpfs'), () => {
  it('ends the journal with a warning and a count; the service goes on, and it begins again when there is room', async () => {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder]);
    const life = await live();
    await listed(life);
    await until(life, () => life.journal.state.state === 'kept');
    const ballast = join(folder, 'ballast');
    try {
      for (;;) writeFileSync(ballast, Buffer.alloc(4096), { flag: 'a' });
    } catch {}
    let version = 20;
    const change = async (): Promise<void> => {
      version += 1;
      await sendChange(life, version);
    };
    for (let i = 0; i < 60 && life.journal.counts.failures === 0; i += 1) await change();
    expect([life.journal.state.state, life.journal.counts.failures]).toEqual(['given up', 1]);
    expect(warnings).toEqual([expect.stringMatching(/^pods: its journal is given up for 5 minutes: ENOSPC/u)]);
    for (let i = 0; i < 20; i += 1) await change();
    expect([life.journal.counts.failures, life.played.errors]).toEqual([1, []]);
    // What it has is right, as far as it can be read.
    expect((await readJournal(path, undefined))?.objects).toHaveLength(2);
    rmSync(ballast);
    await life.played.clock.advance(AGAIN_MS);
    await change();
    await until(life, () => life.journal.state.state === 'kept');
    await ended(life);
    expect((await readJournal(path, undefined))?.batches.at(-1)?.revision).toBe(BigInt(version));
  });
});
