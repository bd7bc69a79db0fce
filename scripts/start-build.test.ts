import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';

const here = fileURLToPath(new URL('.', import.meta.url));
const OUTPUTS = ['apps/cli/dist/index.js', 'packages/server/dist/index.js', 'apps/console/dist/page/index.html'];
let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'listwatch-start-'));
  for (const name of ['start-build.mjs', 'build-stamp.mjs']) {
    mkdirSync(join(root, 'scripts'), { recursive: true });
    copyFileSync(join(here, name), join(root, 'scripts', name));
  }
  put('packages/server/src/index.ts', '1');
  put('apps/cli/src/index.ts', '1');
  put('scripts/build.mjs', buildThat('writes'));
});

afterEach(() => rmSync(root, { recursive: true }));

function put(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** A build without a compiler: it makes the files that a start needs, fails, or is killed half way. */
function buildThat(ends: 'fails' | 'is killed' | 'writes'): string {
  if (ends === 'fails') return 'process.exit(3);';
  return `
    import { mkdirSync, writeFileSync } from 'node:fs';
    import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
    import { ROOT, removeStamp, sourcesOf, writeStamp } from './build-stamp.mjs';
    console.log('compiling');
    const sources = sourcesOf();
    removeStamp();
    ${ends === 'is killed' ? "process.kill(process.pid, 'SIGKILL');" : ''}
    for (const path of ${JSON.stringify(OUTPUTS)}) {
      mkdirSync(dirname(join(ROOT, path)), { recursive: true });
      writeFileSync(join(ROOT, path), '');
    }
    writeStamp(sources);
  `;
}

function start(): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/start-build.mjs'], {
    cwd: root,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

it('the first start builds and says why, the second one does not, and a change is built', () => {
  // The server's lines are on the standard output, so that nothing of the build may be there.
  expect(start()).toEqual({
    status: 0,
    stdout: '',
    stderr: expect.stringMatching(
      /^Building listwatch \(there is no build yet\)\. .*\ncompiling\nBuilt in \d+ s\. The next start does not build\.\n$/u,
    ),
  });
  expect(start()).toEqual({ status: 0, stdout: '', stderr: '' });
  put('packages/server/src/index.ts', '2');
  expect(start().stderr).toContain('(changed since the last build: packages/server/src/index.ts)');
  expect(start()).toEqual({ status: 0, stdout: '', stderr: '' });
});

it('a build that fails does not start the server, and is tried again', () => {
  put('scripts/build.mjs', buildThat('fails'));
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const { status, stderr } = start();
    expect([status, stderr]).toEqual([3, expect.stringContaining('the server was not started')]);
  }
});

it('a build that is killed is made again, also when its changes are taken back', () => {
  expect(start().status).toBe(0);
  const build = readFileSync(join(root, 'scripts/build.mjs'), 'utf8');
  put('packages/server/src/index.ts', '2');
  put('scripts/build.mjs', buildThat('is killed'));
  expect(start()).toMatchObject({ status: 1, stderr: expect.stringContaining('the server was not started') });
  put('packages/server/src/index.ts', '1');
  put('scripts/build.mjs', build);
  expect(start().stderr).toContain('(the last build did not end)');
  expect(start()).toEqual({ status: 0, stdout: '', stderr: '' });
});

it('the real build takes the stamp away before it writes anything', () => {
  const build = readFileSync(join(here, 'build.mjs'), 'utf8');
  const [removed, types] = [build.indexOf('\nremoveStamp();'), build.indexOf('\nif (buildTypes())')];
  expect(removed).toBeGreaterThan(0);
  expect(removed).toBeLessThan(types);
});

it('npm start asks whether to build, and then serves', () => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(
    readFileSync(join(here, '../package.json'), 'utf8'),
  );
  expect(scripts['prestart']).toBe('node scripts/setup.mjs && node scripts/start-build.mjs');
  expect(scripts['start']).toBe('node apps/cli/bin/listwatch.js serve');
});
