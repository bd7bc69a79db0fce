import { rmSync, watch, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { FakeClock } from '@listwatch/api/fake-clock';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { temporaryFolders } from '../temporary-folder.fixture.ts';
import { FollowedFile } from './followed-file.ts';

const newFolder = temporaryFolders();
const MINUTE = 60_000;
let path: string;
let clock: FakeClock;
let file: FollowedFile;
let failures: number;
let log: string;
/** The texts that were tried, in their order. */
let tried: string[];
let use: (text: string) => Promise<void>;

beforeEach(() => {
  path = join(newFolder(), 'config.yaml');
  writeFileSync(path, 'first');
  clock = new FakeClock();
  failures = 0;
  log = '';
  tried = [];
  use = async () => {};
  file = new FollowedFile(
    {
      path,
      option: 'config',
      clock,
      log: pino({}, { write: (line) => void (log += line) }),
      onFailure: () => void (failures += 1),
      use: (text) => {
        tried.push(text);
        return use(text);
      },
    },
    'first',
  );
});

afterEach(() => file.close());

/** Lets a minute pass, in which the file is looked at; the file system may tell of changes besides. */
async function looked(): Promise<void> {
  await clock.advance(MINUTE + 1000);
}

it('another text is used once, and the first one never', async () => {
  await looked();
  writeFileSync(path, 'second');
  await looked();
  await looked();
  expect(tried).toEqual(['second']);
  expect(log).toBe('');
});

it('a text that could not be used is tried again each minute, until it can', async () => {
  use = () => Promise.reject(new Error('the provider is down'));
  writeFileSync(path, 'second');
  await looked();
  await looked();
  expect(tried.length).toBeGreaterThanOrEqual(2);
  expect(new Set(tried)).toEqual(new Set(['second']));
  expect([failures, log.match(/the provider is down/gu)?.length]).toEqual([tried.length, tried.length]);
  use = async () => {};
  await looked();
  const used = tried.length;
  await looked();
  expect(tried).toHaveLength(used);
});

it('changes of other files do not repeat an attempt within the minute', async () => {
  use = () => Promise.reject(new Error('the provider is down'));
  writeFileSync(path, 'second');
  await looked();
  const before = tried.length;
  using other = folderWatch();
  writeFileSync(join(path, '../other'), 'x');
  await vi.waitFor(() => expect(other.changes).toBeGreaterThan(0), 20_000);
  await clock.advance(MINUTE / 2);
  expect(tried).toHaveLength(before);
});

/** Hears of changes in the folder as the file does. */
function folderWatch(): Disposable & { changes: number } {
  const watcher = watch(dirname(path), () => void (seen.changes += 1));
  const seen = { changes: 0, [Symbol.dispose]: () => watcher.close() };
  return seen;
}

it('a wrong text is not tried again, and the next one is', async () => {
  use = () => Promise.reject(new TypeError('unknown field'));
  writeFileSync(path, 'second');
  await looked();
  await looked();
  expect([tried, failures]).toEqual([['second'], 1]);
  writeFileSync(path, 'third');
  await looked();
  expect(tried).toEqual(['second', 'third']);
});

it('a file that is not there is told, and read when it is back', async () => {
  rmSync(path);
  await looked();
  expect(failures).toBeGreaterThanOrEqual(1);
  expect(log).toContain('the changed --config is not used');
  writeFileSync(path, 'second');
  await looked();
  expect(tried).toEqual(['second']);
});
