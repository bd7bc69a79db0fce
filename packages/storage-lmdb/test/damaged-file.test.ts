import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageFlags } from '@listwatch/conformance/parts';
import { storageError } from '@listwatch/conformance/storage';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLmdbEngine } from '../src/index.ts';

const child = fileURLToPath(new URL('damage-child.ts', import.meta.url));
const KEYS = 600;
const WHOLE = `opened ${KEYS} 0`;
const PAGE = 4096;
const root = mkdtempSync(join(tmpdir(), 'listwatch-damage-'));
const sound = join(root, 'sound');
let bytes: Buffer = Buffer.alloc(0);
let made = 0;

beforeAll(async () => {
  const engine = await openLmdbEngine({ path: sound });
  for (let i = 0; i < KEYS / 100; i += 1) {
    const keys = Array.from({ length: 100 }, (_, k) => `/registry/pods/ns/pod-${i}-${k}`);
    await Promise.all(keys.map((key, k) => engine.commit({ type: 'put', key, value: valueOf(k) })));
  }
  await engine.close();
  bytes = readFileSync(join(sound, 'data.mdb'));
});
afterAll(() => rmSync(root, { recursive: true }));

/** Some are large enough to get pages of their own. */
function valueOf(k: number): Buffer {
  return Buffer.alloc(k % 10 === 0 ? 10_000 : 300, `${k}`);
}

/** A folder like the sound one, with this data file. */
function folderWith(data: Buffer): string {
  made += 1;
  const folder = join(root, `store-${made}`);
  mkdirSync(folder);
  copyFileSync(join(sound, 'data.mdb-lock'), join(folder, 'data.mdb-lock'));
  copyFileSync(join(sound, 'holder'), join(folder, 'holder'));
  writeFileSync(join(folder, 'data.mdb'), data);
  return folder;
}

function flipped(at: number, bits = 0xff): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ bits;
  return copy;
}

function refusedOrWhole(outcome: string): boolean {
  return outcome.startsWith('CORRUPT ') || outcome === WHOLE;
}

/** Opens the folders in a process of their own; the outcome of each. Fails when the process dies. */
async function outcomes(folders: readonly string[]): Promise<readonly string[]> {
  const args = [...packageFlags(), '--import', 'tsx', child, ...folders];
  const opener = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  opener.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  const [code, signal] = await once(opener, 'close');
  expect({ code, signal, last: text.split('\n').at(-1) }).toEqual({ code: 0, signal: null, last: '' });
  const lines = text.trimEnd().split('\n');
  expect(lines).toHaveLength(folders.length);
  for (const folder of folders) rmSync(folder, { recursive: true });
  return lines.map((line) => line.slice(line.indexOf(' ') + 1));
}

describe('a damaged data file is refused with CORRUPT, and never ends the process:', () => {
  it('cut off at any length', async () => {
    const lengths = new Set([1, 23, 24, 167, 168, 512, PAGE - 1, PAGE, PAGE + 100, 2 * PAGE - 1, 2 * PAGE, 3 * PAGE]);
    for (let length = 5 * PAGE; length < bytes.length; length += Math.floor(bytes.length / 40)) lengths.add(length);
    for (const before of [1, 100, PAGE, 5 * PAGE]) lengths.add(bytes.length - before);
    const folders = [...lengths].map((length) => folderWith(bytes.subarray(0, length)));
    const results = await outcomes(folders);
    // The last pages can be free ones, which nobody misses.
    for (const outcome of results) expect(outcome).toSatisfy(refusedOrWhole);
    expect(results.filter((outcome) => outcome.startsWith('CORRUPT')).length).toBeGreaterThan(40);
  }, 60_000);

  it('empty, or missing beside the files of a store: never taken for a new one', async () => {
    const empty = folderWith(Buffer.alloc(0));
    const alone = join(root, 'alone');
    mkdirSync(alone);
    writeFileSync(join(alone, 'data.mdb'), '');
    const missing = folderWith(bytes);
    rmSync(join(missing, 'data.mdb'));
    const emptyFailure = await storageError(openLmdbEngine({ path: empty }));
    expect(emptyFailure).toMatchObject({ code: 'CORRUPT' });
    expect(emptyFailure.message).toMatch(/data\.mdb is empty; restore it from a backup, or remove the folder/);
    expect(await storageError(openLmdbEngine({ path: alone }))).toMatchObject({ code: 'CORRUPT' });
    const failure = await storageError(openLmdbEngine({ path: missing }));
    expect(failure).toMatchObject({ code: 'CORRUPT' });
    expect(failure.message).toMatch(/data\.mdb is missing, but holder and data\.mdb-lock beside it/);
  });

  it('random bytes, text, zeros, and another database', async () => {
    const sqlite = Buffer.concat([Buffer.from('SQLite format 3\0'), randomBytes(20_000)]);
    const contents = [
      randomBytes(100),
      randomBytes(50_000),
      Buffer.alloc(50_000),
      Buffer.alloc(50_000, 'text'),
      sqlite,
    ];
    for (const outcome of await outcomes(contents.map(folderWith))) expect(outcome).toMatch(/^CORRUPT /);
  });

  it('any byte of the meta pages flipped: refused, or opened with everything in it', async () => {
    const folders: string[] = [];
    for (const page of [0, PAGE]) {
      for (let at = page === 0 ? 0 : 1; at < 168; at += 2) folders.push(folderWith(flipped(page + at)));
    }
    for (const [index, outcome] of (await outcomes(folders)).entries()) {
      const where = `byte ${2 * (index % 84)} or the next of meta page ${Math.floor(index / 84)}: ${outcome}`;
      expect(refusedOrWhole(outcome), where).toBe(true);
    }
  }, 120_000);

  it('any page overwritten with zeros or noise: refused, or opened with everything in it', async () => {
    const folders: string[] = [];
    const pages = bytes.length / PAGE;
    for (let page = 0; page < pages; page += Math.ceil(pages / 30)) {
      for (const noise of [Buffer.alloc(PAGE), randomBytes(PAGE)]) {
        const copy = Buffer.from(bytes);
        noise.copy(copy, page * PAGE);
        folders.push(folderWith(copy));
      }
    }
    for (const outcome of await outcomes(folders)) expect(outcome).toSatisfy(refusedOrWhole);
  }, 120_000);

  it('a byte flipped anywhere, or in the header of a page: the process lives', async () => {
    const seed = Number(process.env['TEST_SEED'] ?? 1);
    const pages = bytes.length / PAGE;
    const folders = Array.from({ length: 36 }, (_, i) => folderWith(flipped((seed + i * 7919 * 31) % bytes.length)));
    for (let at = 0; at < 24; at += 1) {
      folders.push(folderWith(flipped((2 + ((seed + at * 7919) % (pages - 2))) * PAGE + at)));
    }
    for (const outcome of await outcomes(folders)) expect(outcome, `seed ${seed}`).toMatch(/^(CORRUPT |opened )/);
  }, 120_000);
});

it('a file that is longer than its pages is no damage', async () => {
  const folder = folderWith(bytes);
  truncateSync(join(folder, 'data.mdb'), bytes.length + 3 * PAGE);
  expect(await outcomes([folder])).toEqual([WHOLE]);
});
