import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startLocalRegistry } from './local-registry.ts';
import type { PackedPackage } from './pack-packages.ts';
import { publishPackages } from './publish-packages.ts';
import { type NpmRun, runNpm } from './run-npm.ts';

/** All that a newcomer types, in an empty folder. */
const COMMANDS: readonly (readonly string[])[] = [
  ['install', '@listwatch/client', '@listwatch/runtime', '@listwatch/kinds'],
  ['exec', '--yes', '--', 'listwatch', '--version'],
  ['create', '--yes', 'listwatch@latest', 'my-operator'],
];

/**
 * Publishes the first version to a registry on this machine, in two runs as after an interruption, and installs from it by name. The
 * release workflow alone cannot do that, and publishes nothing. What only the real registry can do is left out: provenance.
 */
export async function rehearsePublishing(
  folder: string,
  packed: readonly PackedPackage[],
  report: (line: string) => void,
): Promise<readonly string[]> {
  const { stdout: upstream } = await runNpm(['config', 'get', 'registry']);
  const registry = await startLocalRegistry({
    own: new Set(packed.map(({ name }) => name)),
    upstream: upstream.trim(),
  });
  const common = { publishArgs: ['--provenance=false'], say: () => {} };
  const asMember = { ...common, first: true, registryArgs: registry.memberArgs };
  const asWorkflow = { ...common, first: false, registryArgs: registry.workflowArgs };
  try {
    const refusals = await publishPackages(packed, asWorkflow);
    const isRefused = refusals.length === 1 && registry.published.length === 0;
    report(`${isRefused ? 'ok  ' : 'FAIL'} a rehearsal: the workflow does not publish what npm does not know`);
    if (!isRefused) return ['the first publication was not refused to the workflow'];
    // The first run ends in the middle, as if the connection had broken.
    const half = packed.slice(0, Math.ceil(packed.length / 2));
    const runs = [await publishPackages(half, asMember), await publishPackages(packed, asMember)];
    // As when the tag is pushed: nothing is left to do.
    const failures = [...runs.flat(), ...(await publishPackages(packed, asWorkflow))];
    const isComplete = registry.published.join() === packed.map(({ name, version }) => `${name}@${version}`).join();
    report(`${failures.length === 0 && isComplete ? 'ok  ' : 'FAIL'} a rehearsal: first publication, in two runs`);
    if (failures.length > 0 || !isComplete) return [...failures, `published: ${registry.published.join(', ')}`];
    return await follow(folder, registry.memberArgs, report);
  } finally {
    await registry.close();
  }
}

async function follow(
  folder: string,
  registryArgs: readonly string[],
  report: (line: string) => void,
): Promise<readonly string[]> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  // Its own cache: npm keeps by version what an earlier rehearsal has published.
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error', `--cache=${join(folder, '.npm')}`];
  for (const [command = '', ...args] of COMMANDS) {
    const { status, stdout, stderr }: NpmRun = await runNpm([command, ...flags, ...registryArgs, ...args], folder);
    const title = `npm ${command} ${args.filter((arg) => !arg.startsWith('--')).join(' ')}`;
    report(`${status === 0 ? 'ok  ' : 'FAIL'} a rehearsal: ${title}`);
    if (status !== 0) return [`${title}\n${stdout}${stderr}`];
  }
  return [];
}
