import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startTestServer } from '@listwatch/testing';
import { expect, it } from 'vitest';
import { publicPackages } from './bundle.mjs';
import { CASES } from './runtimes/cases.mjs';
import { commandOf, linkedEntries, writeBlocks } from './runtimes/packed-project.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

const PAGE = readFileSync(new URL('../docs/reference/runtimes.md', import.meta.url), 'utf8');
const ROWS = [...PAGE.matchAll(/^\| (\S.*?) +\| ([\d.]+) /gmu)].map(([, name = '', version = '']) => ({
  name,
  version,
}));

it('the table of runtimes has a row for each that is tested, and no other', () => {
  expect(ROWS.map(({ name }) => name)).toEqual(CASES.map(({ name }) => name));
});

it('the table names the versions that are tested', () => {
  const tools = readFileSync(new URL('runtimes/tools.mjs', import.meta.url), 'utf8');
  const manifest = readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8');
  for (const { name, version } of ROWS) expect(`${tools}${manifest}`, name).toContain(version);
});

it('a project of packed packages takes none of ours from the repository', () => {
  const entries = linkedEntries();
  expect(entries).toContain('typescript');
  for (const { name } of publicPackages()) expect(entries).not.toContain(name.split('/')[0]);
});

it('the command of the guide to bundlers makes a program that runs, of the program of the guide to operators', async () => {
  // Within the root, so that packages are found.
  const folder = mkdtempSync(join(root, 'node_modules', '.bundled-guide-'));
  await using server = await startTestServer({ listen: true });
  try {
    writeBlocks(folder, 'guide/develop-an-operator.md');
    // Another test runs the same guide, and has its port.
    const main = readFileSync(join(folder, 'main.ts'), 'utf8');
    writeFileSync(join(folder, 'main.ts'), main.replace('manager(cluster)', 'manager(cluster, { health: false })'));
    writeFileSync(join(folder, 'kubeconfig'), server.kubeconfig);
    const line = commandOf('guide/bundlers.md', 'npx esbuild main.ts').replace(
      'npx ',
      join(root, 'node_modules/.bin/'),
    );
    // The sources of the packages: this test needs no build.
    await shell(`${line} --conditions=@listwatch/source --log-level=error`, folder);
    const { stdout } = await shell('node dist/main.mjs', folder, (said, stop) => {
      if (said.includes('the caches are complete')) stop();
    });
    expect(stdout).toContain('websites are served');
    expect(stdout).toContain('the manager has stopped');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** Runs a command in a folder; `heard` is told what it has said, and may interrupt it. */
async function shell(
  line: string,
  cwd: string,
  heard: (said: string, stop: () => void) => void = () => {},
): Promise<{ readonly stdout: string }> {
  const env = { ...process.env, KUBECONFIG: join(cwd, 'kubeconfig') };
  // In the place of the shell, so that the signal reaches the program.
  const command = `exec ${line}`;
  const program = spawn(command, { cwd, env, shell: true, stdio: ['ignore', 'pipe', 'inherit'] });
  let stdout = '';
  program.stdout.on('data', (more: Buffer) => {
    stdout += more.toString();
    heard(stdout, () => {
      // The second one would end it without a word.
      if (!program.killed) program.kill('SIGINT');
    });
  });
  const [code]: unknown[] = await once(program, 'exit');
  expect(code, stdout).toBe(0);
  return { stdout };
}
