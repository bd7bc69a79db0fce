import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type LocalRegistry, startLocalRegistry } from './local-registry.ts';
import type { PackedPackage } from './pack-packages.ts';
import { publishPackages } from './publish-packages.ts';
import { planPublishing, trustCommands } from './publish-plan.ts';

let folder = '';
let registry: LocalRegistry;
let said: string[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'listwatch-publish-'));
  // Nothing here is asked of a real registry: an upstream that nobody answers for.
  registry = await startLocalRegistry({ own: new Set(['@listwatch/a', 'b']), upstream: 'http://127.0.0.1:9/' });
  said = [];
});
afterEach(async () => {
  await registry.close();
  rmSync(folder, { recursive: true });
});

function packed(name: string, version: string): PackedPackage {
  const source = join(folder, `${name}-${version}`);
  mkdirSync(source, { recursive: true });
  writeFileSync(join(source, 'package.json'), JSON.stringify({ name, version, publishConfig: { provenance: true } }));
  const run = spawnSync('npm', ['pack', '--pack-destination', source, '--loglevel=error'], {
    cwd: source,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  expect(run.status, run.stderr).toBe(0);
  return { name, version, tarball: join(source, run.stdout.trim()), files: [] };
}

function publish(
  all: readonly PackedPackage[],
  who: 'member' | 'workflow',
  first = who === 'member',
): Promise<readonly string[]> {
  const registryArgs = who === 'member' ? registry.memberArgs : registry.workflowArgs;
  return publishPackages(all, {
    first,
    publishArgs: ['--provenance=false'],
    registryArgs,
    say: (line) => said.push(line),
  });
}

it('a first version is published with a token only, and later ones by the workflow', async () => {
  const [a, b] = [packed('@listwatch/a', '0.1.0'), packed('b', '0.1.0')];
  expect(await publish([a, b], 'workflow')).toEqual([
    expect.stringMatching(/^npm has no package @listwatch\/a, b.*npm run release -- --publish --first$/u),
  ]);
  expect(await publish([a, b], 'workflow', true)).toEqual([expect.stringMatching(/no token.*npm login/u)]);
  expect(registry.published).toEqual([]);

  expect(await publish([a], 'member')).toEqual([]);
  // As after an interruption.
  expect(await publish([a, b], 'member')).toEqual([]);
  expect(said.at(-2)).toBe('@listwatch/a@0.1.0 is left out: npm has this package');
  expect(await publish([a, b], 'workflow')).toEqual([]);
  expect(registry.published).toEqual(['@listwatch/a@0.1.0', 'b@0.1.0']);

  expect(await publish([packed('@listwatch/a', '0.2.0'), packed('b', '0.2.0')], 'workflow')).toEqual([]);
  expect(registry.published.slice(2)).toEqual(['@listwatch/a@0.2.0', 'b@0.2.0']);
}, 120_000);

it('a token for the first version publishes no later version of another package', async () => {
  expect(await publish([packed('@listwatch/a', '0.1.0')], 'member')).toEqual([]);
  expect(await publish([packed('@listwatch/a', '0.2.0'), packed('b', '0.2.0')], 'member')).toEqual([]);
  expect(registry.published).toEqual(['@listwatch/a@0.1.0', 'b@0.2.0']);
}, 120_000);

it('a registry that does not answer is no registry without packages', async () => {
  const registryArgs = ['--registry=http://127.0.0.1:9/', '--fetch-retries=0'];
  const { waiting, refusals } = await planPublishing([{ name: 'b', version: '0.1.0' }], { first: true, registryArgs });
  expect([waiting, refusals]).toEqual([[], [expect.stringMatching(/^npm view b failed/u)]]);
});

it('after a first version, the workflow of the release is what npm is told to trust', () => {
  expect(trustCommands(['@listwatch/a'], 'https://github.com/owner/name')).toEqual([
    'npm trust github @listwatch/a --file release.yml --repo owner/name --env release --allow-publish --yes',
  ]);
});
