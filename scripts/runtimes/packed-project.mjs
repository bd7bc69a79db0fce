// A project that has installed the packages as npm would publish them, with the programs of the guides in it.

import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publicPackages } from '../bundle.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What a project takes from this repository's `node_modules`: nothing of ours, which would take the place of what was packed. */
export function linkedEntries() {
  const own = new Set(publicPackages().map(({ name }) => name.split('/')[0]));
  return readdirSync(join(root, 'node_modules')).filter((entry) => !entry.startsWith('.') && !own.has(entry));
}

/** Packs the packages and unpacks them into `folder`. What they depend on comes from this repository. */
export function installPacked(folder, tarballs) {
  mkdirSync(tarballs, { recursive: true });
  for (const { name, folder: source } of publicPackages()) {
    const packed = run('npm', ['pack', '--json', '--loglevel=error', '--pack-destination', tarballs], source);
    const answer = JSON.parse(packed);
    const [{ filename }] = Array.isArray(answer) ? answer : Object.values(answer);
    const target = join(folder, 'node_modules', name);
    mkdirSync(target, { recursive: true });
    run('tar', ['-xzf', join(tarballs, filename), '--strip-components=1', '-C', target], folder);
  }
  for (const entry of linkedEntries()) {
    symlinkSync(join(root, 'node_modules', entry), join(folder, 'node_modules', entry));
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'project', type: 'module', private: true }));
}

/** Writes the programs of a guide: each block of code whose first line is its file name. */
export function writeBlocks(folder, guide) {
  const text = readFileSync(join(root, 'docs', guide), 'utf8');
  const blocks = [...text.matchAll(/^```[cm]?[jt]s\n\/\/ (\S+)\n(.*?)^```$/gmsu)];
  for (const [, name, code] of blocks) writeFileSync(join(folder, name), code);
  return blocks.map(([, name]) => name);
}

/** The first block of code of a guide. */
export function firstBlock(guide) {
  return /^```ts\n(.*?)^```$/msu.exec(readFileSync(join(root, 'docs', guide), 'utf8'))?.[1] ?? '';
}

/** The command of a guide that begins so, on one line. */
export function commandOf(guide, start) {
  const text = readFileSync(join(root, 'docs', guide), 'utf8').replaceAll(/ \\\n\s+/gu, ' ');
  const found = [...text.matchAll(/^ +(npx .*)$/gmu)].map(([, line]) => line).find((line) => line.startsWith(start));
  if (found === undefined) throw new Error(`${guide} has no command ${start}`);
  return found;
}

function run(command, args, cwd) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed in ${cwd}\n${stderr}`);
  return stdout;
}
