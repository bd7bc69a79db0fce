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
 * Publishes to a registry on this machine, a second time as after an interruption, and installs from it by name. What only the
 * real registry can do is left out: provenance, and the login of the workflow.
 */
export async function rehearsePublishing(
  folder: string,
  packed: readonly PackedPackage[],
  report: (line: string) => void,
): Promise<readonly string[]> {
  const { stdout: upstream } = await runNpm(['config', 'get', 'registry']);
  const registry = await startLocalRegistry(upstream.trim());
  const options = { publishArgs: ['--provenance=false'], registryArgs: registry.args, say: () => {} };
  try {
    // The first run ends in the middle, as if the connection had broken.
    const half = packed.slice(0, Math.ceil(packed.length / 2));
    const failures = [...(await publishPackages(half, options)), ...(await publishPackages(packed, options))];
    const isComplete = registry.published.join() === packed.map(({ name }) => name).join();
    report(`${failures.length === 0 && isComplete ? 'ok  ' : 'FAIL'} a rehearsal: published, in two runs`);
    if (failures.length > 0 || !isComplete) return [...failures, `published: ${registry.published.join(', ')}`];
    return await follow(folder, registry.args, report);
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
