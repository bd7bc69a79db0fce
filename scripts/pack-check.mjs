// Packs each public package as npm would publish it and lets publint and attw look at the result.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = join(root, 'node_modules/.bin');
const scratch = mkdtempSync(join(tmpdir(), 'listwatch-pack-'));

function run(command, args, cwd = root) {
  const { status, stdout } = spawnSync(command, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' });
  return { ok: status === 0, stdout };
}

const failures = [];
try {
  const build = run(join(bin, 'tsc'), ['-b', 'tsconfig.build.json']);
  if (!build.ok) throw new Error(`tsc -b failed\n${build.stdout}`);
  const folders = ['packages', 'apps'].flatMap((area) => readdirSync(join(root, area)).map((name) => join(area, name)));
  for (const folder of folders) {
    const path = join(root, folder);
    const manifest = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
    if (manifest.private) continue;
    const packed = run('npm', ['pack', '--json', '--loglevel=error', '--pack-destination', scratch], path);
    if (!packed.ok) throw new Error(`npm pack failed in ${folder}`);
    const answer = JSON.parse(packed.stdout);
    const [{ filename }] = Array.isArray(answer) ? answer : Object.values(answer);
    const tarball = join(scratch, filename);
    const tools = [
      { name: 'publint', args: ['--strict', tarball] },
      { name: 'attw', args: ['--profile', 'esm-only', tarball] },
    ];
    for (const { name, args } of tools) {
      const { ok, stdout } = run(join(bin, name), args);
      console.log(`${ok ? 'ok  ' : 'FAIL'} ${name} ${manifest.name}`);
      if (!ok) failures.push(`${name} ${manifest.name}\n${stdout}`);
    }
  }
} finally {
  rmSync(scratch, { recursive: true });
}
for (const failure of failures) console.error(`\n${failure}`);
process.exitCode = failures.length === 0 ? 0 : 1;
