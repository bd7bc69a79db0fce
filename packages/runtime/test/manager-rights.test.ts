import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resource } from '@listwatch/api';
import { startTestServer, type TestEnvironment } from '@listwatch/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { silentLogger } from '../src/index.ts';
import { manager, parseUsedRights } from '../src/manager/index.ts';

const configMaps = resource({ version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true });
let env: TestEnvironment;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rights-'));
  env = await startTestServer({ controllers: [] });
});

afterEach(async () => {
  await env.close();
  await rm(folder, { recursive: true });
});

/** A manager whose only work is one list, and then `end`. */
async function run(recordRights: string, end: () => void = () => {}): Promise<void> {
  const stop = new AbortController();
  const program = manager(env.cluster, { health: false, logger: silentLogger, recordRights });
  program.add({
    name: 'once',
    run: async ({ cluster }) => {
      await cluster.list(configMaps, { namespace: 'a' });
      stop.abort();
      end();
    },
  });
  await program.run({ signal: stop.signal });
}

it('a manager writes the rights that it used when it stops, for its owner only', async () => {
  const file = join(folder, 'new', 'rights.json');
  await run(file);
  const rights = [{ verb: 'list', group: '', resource: 'configmaps', namespace: 'a' }];
  expect(parseUsedRights(await readFile(file, 'utf8'))).toEqual({ rights, paths: [] });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

it('a manager that failed writes them, too', async () => {
  const file = join(folder, 'rights.json');
  const failed = run(file, () => {
    throw new Error('no more');
  });
  await expect(failed).rejects.toThrow('no more');
  expect(parseUsedRights(await readFile(file, 'utf8')).rights).toHaveLength(1);
});

it('a file that cannot be written fails the run', async () => {
  await writeFile(join(folder, 'taken'), '');
  await expect(run(join(folder, 'taken', 'rights.json'))).rejects.toMatchObject({ code: 'RIGHTS_FILE' });
});

it('a path that is empty is refused', () => {
  expect(() => manager(env.cluster, { recordRights: '' })).toThrow('recordRights must be the path of a file');
});
