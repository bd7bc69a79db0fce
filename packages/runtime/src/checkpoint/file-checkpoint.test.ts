import { readdirSync, statSync } from 'node:fs';
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resourceVersion } from '@listwatch/api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Thing, thing, things } from '../../test/model-object.ts';
import { ModelServer } from '../../test/model-server.ts';
import type { CheckpointIdentity } from '../informer/checkpoint.ts';
import { type Informer, informer } from '../informer/informer.ts';
import type { InformerOptions } from '../informer/informer-options.ts';
import { fileCheckpoint } from './file-checkpoint.ts';

let folder: string;
let path: string;
let server: ModelServer;
let warnings: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'listwatch-checkpoint-'));
  path = join(folder, 'deep', 'things.checkpoint');
  server = new ModelServer();
  warnings = [];
});

afterEach(async () => {
  await rm(folder, { recursive: true });
  expect([server.watches.size, server.clock.pending]).toEqual([0, 0]);
});

const identity: CheckpointIdentity = {
  server: 's',
  resource: 'v1/things',
  labelSelector: '',
  fieldSelector: '',
  projection: 'full',
};
const note = (message: string, error: unknown): void => void warnings.push(`${message}: ${String(error)}`);
const pass = (ms = 0): Promise<void> => server.clock.advance(ms);

/** The next life of a program. */
function start(options: InformerOptions<Thing> = {}): Informer<Thing> {
  return informer(server, things, {
    checkpoint: fileCheckpoint(path),
    random: () => 0,
    onWarning: ({ type }) => warnings.push(type),
    ...options,
  });
}

const FILES_TAKE_AT_MOST_MS = 20_000;

/** Files take real time: looks again until it is so. */
async function until(what: () => boolean): Promise<void> {
  const end = Date.now() + FILES_TAKE_AT_MOST_MS;
  while (!what()) {
    if (Date.now() > end) throw new Error('it never came');
    await pass();
  }
}

async function live(options?: InformerOptions<Thing>): Promise<Informer<Thing>> {
  const made = start(options);
  await until(() => made.hasSynced);
  await pass(1_000);
  return made;
}

/** Objects that cannot all be read. */
function* cutShort(): Generator<string, undefined> {
  yield '{}';
  throw new Error('no more');
}

describe('the file', () => {
  const objects = [thing('a/x', 1), { ...thing('a/y', 2), text: '\u2028 日本語 "\\ \n' }];

  async function save(): Promise<void> {
    const versions = new Map([['', resourceVersion('77')]]);
    const lines = objects.map((object) => JSON.stringify(object));
    await fileCheckpoint(path).save(identity, {
      versions,
      size: 2,
      objects: [lines[0] ?? '', Buffer.from(lines[1] ?? '')],
    });
  }

  it("gives back what was saved, is its owner's alone, and leaves nothing beside it", async () => {
    await save();
    await save();
    expect(await fileCheckpoint(path).load(identity, note)).toEqual({ versions: new Map([['', '77']]), objects });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(join(folder, 'deep'))).toEqual(['things.checkpoint']);
  });

  it('that is not there is no trouble', async () => {
    expect(await fileCheckpoint(path).load(identity, note)).toBeUndefined();
    expect(warnings).toEqual([]);
  });

  it('cut anywhere, or with any byte changed, is set aside with a warning', async () => {
    await save();
    const whole = await readFile(path);
    for (let at = 0; at < whole.length; at += 7) {
      await writeFile(path, whole.subarray(0, at));
      expect(await fileCheckpoint(path).load(identity, note), `cut at ${at}`).toBeUndefined();
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] ?? 0) ^ 1;
      await writeFile(path, changed);
      expect(await fileCheckpoint(path).load(identity, note), `changed at ${at}`).toBeUndefined();
    }
    expect(await readdir(join(folder, 'deep'))).toEqual(['things.checkpoint.set-aside']);
    expect(warnings).toHaveLength(2 * Math.ceil(whole.length / 7));
  });

  it('of another server, resource, selector or projection is set aside', async () => {
    for (const member of Object.keys(identity)) {
      await save();
      expect(await fileCheckpoint(path).load({ ...identity, [member]: 'other' }, note), member).toBeUndefined();
    }
    expect(warnings).toHaveLength(5);
  });

  it('of another version of the transform is set aside', async () => {
    await save();
    expect(await fileCheckpoint(path, { version: '2' }).load(identity, note)).toBeUndefined();
    expect(warnings).toHaveLength(1);
  });

  it('of a later format is set aside', async () => {
    await save();
    await writeFile(path, (await readFile(path, 'utf8')).replace('"version":1', '"version":2'));
    expect(await fileCheckpoint(path).load(identity, note)).toBeUndefined();
    expect(warnings[0]).toContain('format 2');
  });

  it('is written to a private file with a name that nobody can guess', async () => {
    const deep = join(folder, 'deep');
    const seen: { name: string; mode: number }[] = [];
    const look = (): void => {
      for (const name of readdirSync(deep)) seen.push({ name, mode: statSync(join(deep, name)).mode & 0o777 });
    };
    function* lines(): Generator<string, undefined> {
      look();
      yield JSON.stringify(objects[0]);
    }
    for (let i = 0; i < 2; i += 1) {
      await rm(path, { force: true });
      await fileCheckpoint(path).save(identity, { versions: new Map(), size: 1, objects: lines() });
    }
    expect(seen.map(({ mode }) => mode)).toEqual([0o600, 0o600]);
    const names = seen.map(({ name }) => name);
    for (const name of names) expect(name).toMatch(/^things\.checkpoint\.[0-9a-f]{24}\.tmp$/u);
    expect(new Set(names).size).toBe(2);
    expect((await stat(deep)).mode & 0o777).toBe(0o700);
  });

  it('is not written through a link that somebody has put in the place of the temporary file', async () => {
    const victim = join(folder, 'victim');
    await writeFile(victim, 'precious');
    await mkdir(join(folder, 'deep'));
    await symlink(victim, `${path}.tmp`);
    await save();
    expect(await readFile(victim, 'utf8')).toBe('precious');
    expect((await lstat(path)).isFile()).toBe(true);
  });

  it('is not read through a link', async () => {
    await save();
    await rename(path, join(folder, 'elsewhere'));
    await symlink(join(folder, 'elsewhere'), path);
    expect(await fileCheckpoint(path).load(identity, note)).toBeUndefined();
    expect(warnings[0]).toContain('Cannot open the checkpoint');
  });

  it('leaves nothing beside it when a save fails', async () => {
    await save();
    const failing = fileCheckpoint(path).save(identity, { versions: new Map(), size: 2, objects: cutShort() });
    await expect(failing).rejects.toThrow('no more');
    expect(await readdir(join(folder, 'deep'))).toEqual(['things.checkpoint']);
    expect(await fileCheckpoint(path).load(identity, note)).toMatchObject({ objects });
  });

  it('what a crash has left beside it is removed at the next start; other files stay', async () => {
    await save();
    const others = ['things.checkpoint.notes', 'things.checkpoint2.0123456789abcdef01234567.tmp', 'x.tmp'];
    const left = ['things.checkpoint.tmp', 'things.checkpoint.0123456789abcdef01234567.tmp'];
    for (const name of [...others, ...left]) await writeFile(join(folder, 'deep', name), '');
    expect(await fileCheckpoint(path).load(identity, note)).toMatchObject({ objects });
    expect((await readdir(join(folder, 'deep'))).toSorted()).toEqual(['things.checkpoint', ...others].toSorted());
  });

  it.each([0o640, 0o660, 0o644])('with the mode %o is made private and used', async (mode) => {
    await save();
    await chmod(path, mode);
    expect(await fileCheckpoint(path).load(identity, note)).toMatchObject({ objects });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(warnings).toEqual([]);
  });

  it('that everybody could write is made private and not used', async () => {
    await save();
    await chmod(path, 0o666);
    expect(await fileCheckpoint(path).load(identity, note)).toBeUndefined();
    expect(warnings[0]).toContain('everybody could write it (mode 666)');
    expect((await stat(`${path}.set-aside`)).mode & 0o777).toBe(0o600);
  });
});

describe('an informer with a checkpoint', () => {
  it('is ready from the file and resumes its watch, without a list', async () => {
    server.put('a/x', 1);
    server.put('a/y', 2);
    const first = await live();
    await first.close();
    server.put('a/x', 5);
    server.delete('a/y');
    server.requests.length = 0;
    const said: string[] = [];
    server.fault = () => new Error('not yet');
    const second = start();
    second.on({
      add: ({ key, initial }) => said.push(`add ${key} ${initial}`),
      update: ({ key, object }) => said.push(`update ${key} ${object.spec?.size}`),
      delete: ({ key, finalStateKnown }) => said.push(`delete ${key} ${finalStateKnown}`),
    });
    await until(() => second.hasSynced);
    expect([second.store.size, second.store.get('a/x')?.spec?.size]).toEqual([2, 1]);
    server.fault = undefined;
    await until(() => second.status.phase === 'degraded');
    await pass(2_000);
    expect(second.status.phase).toBe('live');
    expect(server.seen('list', 'stream')).toEqual([]);
    expect(server.seen('watch').at(-1)).toBe('watch:12');
    expect(said).toEqual(['add a/x true', 'add a/y true', 'update a/x 5', 'delete a/y true']);
    await second.close();
  });

  it('says syncing until it has caught up', async () => {
    const first = await live();
    await first.close();
    const second = start();
    await until(() => second.hasSynced);
    expect(second.status).toMatchObject({ phase: 'syncing', reason: expect.stringContaining('checkpoint') });
    await until(() => server.watches.size > 0);
    await pass(1_000);
    expect(second.status.phase).toBe('live');
    await second.close();
  });

  it('after a 410 lists, and reports what was deleted meanwhile with the last known object', async () => {
    server.put('a/x', 1);
    server.put('a/y', 2);
    const first = await live();
    await first.close();
    server.delete('a/x');
    server.compact();
    const deletes: unknown[] = [];
    const second = start();
    second.on({
      delete: ({ key, object, finalStateKnown }) => deletes.push([key, object.spec?.size, finalStateKnown]),
    });
    await until(() => second.hasSynced);
    await pass(2_000);
    expect(deletes).toEqual([['a/x', 1, false]]);
    expect([...second.store.keys()]).toEqual(['a/y']);
    await second.close();
  });

  it('with a torn file warns, lists once, and saves a good one', async () => {
    server.put('a/x');
    const first = await live();
    await first.close();
    await writeFile(path, 'torn');
    const second = await live();
    expect(warnings).toEqual(['CHECKPOINT_SET_ASIDE']);
    expect(second.store.size).toBe(1);
    await second.close();
    expect(
      (await fileCheckpoint(path).load({ ...identity, server: server.server, resource: 'example.org/v1/things' }, note))
        ?.objects,
    ).toHaveLength(1);
  });

  it('saves at its interval if there is news, and goes on when it cannot', async () => {
    let saves = 0;
    let broken = true;
    const checkpoint = {
      load: async () => undefined,
      save: async () => {
        saves += 1;
        if (broken) throw new Error('disk full');
      },
    };
    const web = await live({ checkpoint, checkpointIntervalMs: 10_000 });
    await pass(10_000);
    expect([saves, warnings]).toEqual([1, ['CHECKPOINT_NOT_SAVED']]);
    broken = false;
    await pass(10_000);
    expect(saves).toBe(2);
    await pass(30_000);
    expect(saves).toBe(2);
    server.put('a/x');
    await pass(10_000);
    expect(saves).toBe(3);
    await web.close();
    expect(saves).toBe(3);
  });

  it('does not save before its first state is whole', async () => {
    server.fault = () => new Error('down');
    const web = start();
    await pass(120_000);
    await web.close();
    expect(await readdir(folder)).toEqual([]);
  });

  it('keeps a version for each of several namespaces, and a transform is not run again', async () => {
    server.put('a/x', 1);
    server.put('b/x', 2);
    let runs = 0;
    const options: InformerOptions<Thing> = {
      namespaces: ['a', 'b'],
      compact: true,
      transform: (object) => {
        runs += 1;
        return object;
      },
    };
    const first = await live(options);
    server.put('a/x', 9);
    await pass();
    await first.close();
    server.requests.length = 0;
    const second = await live(options);
    expect(server.seen().toSorted()).toEqual(['watch:12', 'watch:13']);
    expect([second.store.get('a/x')?.spec?.size, runs]).toEqual([9, 3]);
    await second.close();
  });
});
