import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { publicPackages } from '../bundle.mjs';
import { isFreeLicence } from './licences.ts';
import type { PackedPackage } from './pack-packages.ts';

/** What a newcomer does: a server in the process, and an informer that follows it. */
const PROGRAM = `
import { informer } from '@listwatch/runtime';
import { configMaps } from '@listwatch/kinds';
import { startTestServer } from '@listwatch/testing';
await using env = await startTestServer();
await using cache = informer(env.cluster, configMaps, { namespace: 'default' });
await cache.synced;
await env.apply('{ apiVersion: v1, kind: ConfigMap, metadata: { name: a, namespace: default }, data: { k: v } }');
while (cache.store.get('default/a') === undefined) await new Promise((resolve) => setTimeout(resolve, 10));
console.log('the informer has seen', cache.store.get('default/a').data.k);
`;

interface Sbom {
  readonly components?: readonly {
    readonly name: string;
    readonly licenses?: readonly { readonly license?: { readonly id?: string }; readonly expression?: string }[];
  }[];
}

/**
 * Installs the tarballs in an empty folder, as somebody does who has nothing else: every door is imported, a program runs, the command
 * answers. Writes `sbom.cdx.json` there, of what an installation really has.
 */
export function checkInstallation(
  folder: string,
  packed: readonly PackedPackage[],
  report: (line: string) => void,
): readonly string[] {
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'installed', version: '0.0.0', private: true, type: 'module' }),
  );
  const install = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  const doors = publicPackages().flatMap(({ name, manifest }) =>
    Object.keys(manifest.exports).map((door) => `${name}${door.slice(1)}`),
  );
  // zod is an optional peer: its door needs it.
  const imports = doors.filter((door) => door !== '@listwatch/kinds/zod');
  writeFileSync(join(folder, 'doors.js'), imports.map((door) => `await import('${door}');`).join('\n'));
  // Node 20 does not read \`await using\`: what a user's compiler does with it, esbuild of this repository does here.
  writeFileSync(join(folder, 'program.ts'), PROGRAM);
  const steps: readonly [string, string, readonly string[]][] = [
    ['npm install of all tarballs', 'npm', [...install, ...packed.map(({ tarball }) => tarball)]],
    ['every door is imported', process.execPath, ['doors.js']],
    ['a program', process.execPath, ['program.js']],
    ['listwatch --version', process.execPath, ['node_modules/listwatch/bin/listwatch.js', '--version']],
  ];
  for (const [title, command, args] of steps) {
    if (title === 'a program') compile(folder);
    const { status, stdout, stderr } = run(command, args, folder);
    report(`${status === 0 ? 'ok  ' : 'FAIL'} installed: ${title}`);
    // Later steps need the earlier ones.
    if (status !== 0) return [`installed: ${title}\n${stdout}${stderr}`];
  }
  const sbom = run('npm', ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev'], folder);
  if (sbom.status !== 0) return [`npm sbom\n${sbom.stderr}`];
  writeFileSync(join(folder, 'sbom.cdx.json'), sbom.stdout);
  const written: Sbom = JSON.parse(sbom.stdout);
  const failures = sbomFailures(written);
  report(`${failures.length === 0 ? 'ok  ' : 'FAIL'} installed: SBOM and licences`);
  return failures;
}

function sbomFailures({ components = [] }: Sbom): readonly string[] {
  const names = new Set(components.map(({ name }) => name));
  const absent = publicPackages().filter(({ name }) => !names.has(name) && !names.has(name.split('/').at(-1) ?? ''));
  const unfree = components.flatMap(({ name, licenses = [] }) => {
    const said = licenses.map(({ license, expression }) => expression ?? license?.id ?? '');
    return said.every(isFreeLicence) ? [] : [`the licence of ${name} is ${said.join(', ')}`];
  });
  return [...absent.map(({ name }) => `${name} is not in the SBOM`), ...unfree];
}

function compile(folder: string): void {
  const tool = join(import.meta.dirname, '../../node_modules/.bin/esbuild');
  run(tool, ['program.ts', '--outfile=program.js', '--target=es2023', '--format=esm', '--log-level=error'], folder);
}

function run(
  command: string,
  args: readonly string[],
  cwd: string,
): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    timeout: 600_000,
    shell: process.platform === 'win32',
  });
}
