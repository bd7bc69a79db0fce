import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openLmdbEngine } from '@listwatch/storage-lmdb';
import { describe, expect, it } from 'vitest';
import { fakeHost } from '../fake-host.fixture.ts';
import { run } from '../main.ts';
import { temporaryFolders } from '../temporary-folder.fixture.ts';

const newFolder = temporaryFolders();

/** A data folder whose store has these values. */
async function dataFolder(values: Readonly<Record<string, string>>): Promise<string> {
  const data = newFolder();
  const engine = await openLmdbEngine({ path: join(data, 'store') });
  for (const [key, value] of Object.entries(values)) {
    await engine.commit({ type: 'put', key, value: Buffer.from(value) });
  }
  await engine.close();
  return data;
}

async function check(data: string, env: Record<string, string> = {}): Promise<readonly [number, string, string]> {
  const host = fakeHost({
    args: ['store', 'check', ...(data === '' ? [] : ['--data', data])],
    env,
    folder: newFolder(),
  });
  const code = await run(host);
  return [code, host.written.stdout, host.written.stderr];
}

describe('listwatch store check', () => {
  it('says that a sound store is one, by its data folder, by the variable, or by its own folder', async () => {
    const data = await dataFolder({ '/registry/a': '{"kind":"A"}', '/registry/b': '{}' });
    const store = join(data, 'store');
    const sound = `the store in ${store} is sound: 2 keys, 2 values, 0.1 MiB, revision 3\n`;
    expect(await check(data)).toEqual([0, sound, '']);
    expect(await check('', { LISTWATCH_DATA: data })).toEqual([0, sound, '']);
    expect(await check(store)).toEqual([0, sound, '']);
  });

  it('prints a line for each fault and ends with 3; what a terminal would obey is escaped', async () => {
    const data = await dataFolder({ '/registry/good': '{}', '/registry/cut': '{"a":', '/registry/\u001b[2J': '[1]' });
    const [code, stdout] = await check(data);
    expect(code).toBe(3);
    expect(stdout.split('\n')).toEqual([
      'the value of /registry/\\u001b[2J at revision 4 is not a JSON object',
      'the value of /registry/cut at revision 3 is not JSON',
      expect.stringMatching(/^the store in .* is damaged \(2 faults\): move it away and put a backup in its place/u),
      '',
    ]);
  });

  it('survives a file that would end the process of a server', async () => {
    const data = await dataFolder(Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`/registry/${i}`, '{}'])));
    const file = join(data, 'store', 'data.mdb');
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.subarray(0, 3 * 4096));
    expect((await check(data))[0]).toBe(3);
    writeFileSync(file, bytes.fill(0xff, 8192));
    expect((await check(data))[0]).toBe(3);
    writeFileSync(file, '');
    const [code, stdout] = await check(data);
    expect(code).toBe(3);
    expect(stdout).toContain('data.mdb is empty');
  });

  it('ends with 1 and one line when there is no store, or it is in use', async () => {
    const [none, , missing] = await check(newFolder());
    expect([none, missing]).toEqual([1, expect.stringMatching(/^listwatch: there is no store in .*\n$/u)]);
    const data = newFolder();
    await using engine = await openLmdbEngine({ path: join(data, 'store') });
    const [code, , used] = await check(data);
    expect(code).toBe(1);
    expect(used).toMatch(/is in use by this process .*; stop it first, or check a copy\n$/u);
    expect(await engine.revision()).toBe(1n);
  });

  it.each([[['store', 'check', '--help']], [['store', 'help', 'check']]])('teaches itself for %j', async (args) => {
    const host = fakeHost({ args });
    expect(await run(host)).toBe(0);
    expect(host.written.stdout).toContain('$ listwatch store check --data /var/lib/listwatch');
    expect(host.written.stdout).toContain('Exit codes: 0 the store is sound');
  });

  it('refuses what it does not know with one line and 2', async () => {
    const host = fakeHost({ args: ['store', 'chekc'] });
    expect(await run(host)).toBe(2);
    expect(host.written.stderr).toBe("listwatch: unknown command 'chekc' (Did you mean check?)\n");
  });
});
