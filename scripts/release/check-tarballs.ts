import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PackedPackage } from './pack-packages.ts';

const bin = fileURLToPath(new URL('../../node_modules/.bin', import.meta.url));

/** Files that npm shows, and copies of licences that come with code. */
const PAGES = ['README.md', 'LICENSE'];
const BUNDLED: Readonly<Record<string, readonly string[]>> = {
  '@listwatch/console': ['dist/THIRD-PARTY-LICENSES.txt', 'dist/page/index.html'],
};

/** Tests and what a build leaves behind. A template has tests of its own, which belong to it. */
const LEFTOVER = /\.(?:test|test-d|fixture)\.|tsbuildinfo|\.env/u;

/** What is wrong with packed packages, as publint and attw see them, and whether they have the files that they must have. */
export function checkTarballs(packed: readonly PackedPackage[], report: (line: string) => void): readonly string[] {
  return packed.flatMap((one) => {
    const checks = [
      { title: `files ${one.name}`, problem: missingFiles(one) },
      { title: `publint ${one.name}`, problem: run('publint', ['--strict', one.tarball]) },
      { title: `attw ${one.name}`, problem: run('attw', ['--profile', 'esm-only', one.tarball]) },
    ];
    for (const { title, problem } of checks) report(`${problem === undefined ? 'ok  ' : 'FAIL'} ${title}`);
    return checks.flatMap(({ title, problem }) => (problem === undefined ? [] : [`${title}\n${problem}`]));
  });
}

function missingFiles({ name, files }: PackedPackage): string | undefined {
  const packed = new Set(files);
  const missing = [...PAGES, ...(BUNDLED[name] ?? [])].filter((page) => !packed.has(page));
  const extra = files.filter((path) => LEFTOVER.test(path) && !path.startsWith('templates/'));
  if (missing.length === 0 && extra.length === 0) return undefined;
  return `missing: ${missing.join(', ')}; should not be there: ${extra.join(', ')}`;
}

function run(tool: string, args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync(join(bin, tool), args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  return status === 0 ? undefined : stdout;
}
