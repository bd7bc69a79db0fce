import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeClock } from '@listwatch/api/fake-clock';
import { recordOf } from '@listwatch/api/values';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLmdbEngine } from '../lmdb-engine.ts';
import { openTables, type Tables } from '../tables.ts';
import { refuseHolder, StoreHolder } from './store-holder.ts';

let folder = '';
let tables: Tables;
let clock: FakeClock;
const taken: StoreHolder[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'listwatch-holder-'));
  await (await openLmdbEngine({ path: folder })).close();
  tables = openTables(folder);
  clock = new FakeClock();
});
afterEach(async () => {
  for (const holder of taken.splice(0)) holder.release();
  await tables.root.close();
  rmSync(folder, { recursive: true });
});

function take(from = tables): StoreHolder {
  const holder = StoreHolder.take(from, folder, clock);
  taken.push(holder);
  return holder;
}

/** What stands in the store, with these changes, as if another process had written it. */
function leave(changes: object): void {
  take();
  tables.facts.putSync('holder', { ...recordOf(tables.facts.get('holder')), id: 'of another opening', ...changes });
}

/** Sets the time of the heartbeat file. */
function beat(msAgo: number): void {
  const time = (clock.now() - msAgo) / 1000;
  utimesSync(join(folder, 'holder'), time, time);
}

const IN_USE = expect.objectContaining({ code: 'IN_USE' });

describe('the holder of a store', () => {
  it('stands in it, and in a file for processes that cannot see it, until it lets go', () => {
    const holder = take();
    const own = { pid: process.pid, since: new Date(clock.now()).toISOString() };
    expect(tables.facts.get('holder')).toMatchObject(own);
    expect(JSON.parse(readFileSync(join(folder, 'holder'), 'utf8'))).toMatchObject(own);
    expect(() => take()).toThrow(
      `the store in ${folder} is in use by this process (${process.pid}) since ${own.since}`,
    );
    expect(() => refuseHolder(tables.facts.get('holder'), folder, clock)).toThrow(IN_USE);
    holder.release();
    expect(tables.facts.get('holder')).toBeUndefined();
    expect(() => refuseHolder(tables.facts.get('holder'), folder, clock)).not.toThrow();
    take();
  });

  it('that could not say that it has let go, because the disk was full, is remembered by its process', () => {
    const full: Tables = Object.create(tables, {
      facts: {
        value: Object.create(tables.facts, {
          removeSync: {
            value: () => {
              throw new Error('MDB_MAP_FULL');
            },
          },
        }),
      },
    });
    take(full).release();
    expect(tables.facts.get('holder')).toBeDefined();
    expect(() => refuseHolder(tables.facts.get('holder'), folder, clock)).not.toThrow();
    take();
    expect(() => take()).toThrow(IN_USE);
  });

  it.each([
    ['a process that has ended', { pid: 2 ** 22 + 1 }],
    ['a process of another start of the machine', { boot: 'another' }],
    ['a number that another process has now', { started: '1' }],
    ['another file: the store was copied', { file: { inode: '1', born: 1 } }],
    ['nothing that can be read', { pid: undefined, boot: undefined, since: undefined, namespace: undefined }],
  ])('is replaced when it is %s', (_, changes) => {
    leave(changes);
    take();
    expect(tables.facts.get('holder')).toMatchObject({ pid: process.pid });
  });

  it.each([
    ['lives', {}],
    ['lives, and was written by a version without ids', { id: undefined }],
    ['lives, and was written by a version without the identity of its file', { file: undefined }],
  ])('is not replaced while it %s', (_, changes) => {
    leave(changes);
    expect(() => take()).toThrow(IN_USE);
  });

  it('in another container lives as long as its heartbeat is younger than 20 seconds', () => {
    leave({ namespace: 'pid:[1]', host: 'other', pid: 7 });
    beat(19_999);
    expect(() => take()).toThrow(`the store in ${folder} is in use by process 7 on other since`);
    expect(() => refuseHolder(tables.facts.get('holder'), folder, clock)).toThrow(IN_USE);
    beat(20_000);
    expect(() => refuseHolder(tables.facts.get('holder'), folder, clock)).not.toThrow();
    take();
  });

  it('in another container without a heartbeat is gone', () => {
    leave({ namespace: 'pid:[1]' });
    rmSync(join(folder, 'holder'));
    take();
  });

  it('does without the text of its file when that cannot be written, as on a full disk', () => {
    rmSync(join(folder, 'holder'), { force: true });
    mkdirSync(join(folder, 'holder'));
    take();
    expect(tables.facts.get('holder')).toMatchObject({ pid: process.pid });
  });
});
