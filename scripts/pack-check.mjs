// Packs each public package as npm would publish it, checks it (README, LICENSE, publint, attw), and uses it as other projects would.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publicPackages } from './bundle.mjs';
import { checkConsumers } from './consumer-check.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = join(root, 'node_modules/.bin');
const scratch = mkdtempSync(join(tmpdir(), 'listwatch-pack-'));

function run(command, args, cwd = root) {
  const { status, stdout } = spawnSync(command, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' });
  return { ok: status === 0, stdout };
}

/** npm shows the README, and the licence asks for a copy in everything that is distributed. */
function pageFailures(name, files) {
  const packed = new Set(files.map(({ path }) => path));
  const missing = ['README.md', 'LICENSE'].filter((page) => !packed.has(page));
  console.log(`${missing.length === 0 ? 'ok  ' : 'FAIL'} README and LICENSE ${name}`);
  return missing.map((page) => `${name} has no ${page} in its tarball`);
}

const failures = [];
const tarballs = [];
try {
  const build = run(process.execPath, ['scripts/build.mjs']);
  if (!build.ok) throw new Error(`the build failed\n${build.stdout}`);
  for (const { name, folder } of publicPackages()) {
    const packed = run('npm', ['pack', '--json', '--loglevel=error', '--pack-destination', scratch], folder);
    if (!packed.ok) throw new Error(`npm pack failed in ${folder}`);
    const answer = JSON.parse(packed.stdout);
    const [{ filename, files }] = Array.isArray(answer) ? answer : Object.values(answer);
    failures.push(...pageFailures(name, files));
    const tarball = join(scratch, filename);
    tarballs.push({ name, tarball });
    const tools = [
      { tool: 'publint', args: ['--strict', tarball] },
      { tool: 'attw', args: ['--profile', 'esm-only', tarball] },
    ];
    for (const { tool, args } of tools) {
      const { ok, stdout } = run(join(bin, tool), args);
      console.log(`${ok ? 'ok  ' : 'FAIL'} ${tool} ${name}`);
      if (!ok) failures.push(`${tool} ${name}\n${stdout}`);
    }
  }
  const consumer = join(scratch, 'consumer');
  failures.push(...(await checkConsumers(consumer, tarballs, (line) => console.log(line))));
} finally {
  rmSync(scratch, { recursive: true });
}
for (const failure of failures) console.error(`\n${failure}`);
process.exitCode = failures.length === 0 ? 0 : 1;
