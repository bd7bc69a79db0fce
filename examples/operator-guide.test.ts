/** Follows docs/guide/develop-an-operator.md word by word, in an empty folder. */

import { type ChildProcess, exec, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { needs, packageFlags } from '@listwatch/conformance/parts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ExampleProcess } from './example-process.fixture.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const GUIDE = readFileSync(join(ROOT, 'docs/guide/develop-an-operator.md'), 'utf8');
const FLAGS = packageFlags().join(' ');
/** Stands for the builds that npm would install: the same commands on the packages of this repository. */
const PROGRAMS: readonly (readonly [RegExp, string])[] = [
  [/^npx listwatch /u, `node ${FLAGS} ${join(ROOT, 'apps/cli/bin/listwatch.js')} `],
  [/^npx tsx /u, `node ${FLAGS} --import tsx `],
];
const run = promisify(exec);

/** The commands of the guide in their order. */
const COMMANDS = [...GUIDE.matchAll(/^ {4}(.*)$/gmu)].map(([, line = '']) => line);
const onPackages = (line: string): string => PROGRAMS.reduce((text, [word, own]) => text.replace(word, own), line);

/** The one command of the guide that begins so. */
function command(start: string): string {
  return COMMANDS.find((line) => line.startsWith(start)) ?? expect.unreachable(`the guide has no ${start}`);
}

const words = (text: string): readonly string[] => text.split(/\s+/u).filter((word) => word !== '');

const folder = mkdtempSync(join(tmpdir(), 'listwatch-guide-'));
afterAll(() => rmSync(folder, { recursive: true }));

const installed = COMMANDS.filter((line) => line.startsWith('npm install')).flatMap(words);
for (const name of installed.filter((word) => !/^(?:npm|install|--save-dev)$/u.test(word))) {
  const link = join(folder, 'node_modules', name);
  mkdirSync(join(link, '..'), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules', name), link);
}
for (const [, name = '', code = ''] of GUIDE.matchAll(/^```ts\n\/\/ (\S+)\n(.*?)^```$/gmsu)) {
  writeFileSync(join(folder, name), code);
}

async function shell(line: string): Promise<string> {
  const environment = { ...process.env, KUBECONFIG: join(folder, '.listwatch/kubeconfig') };
  const { stdout } = await run(onPackages(line), { cwd: folder, env: environment });
  return stdout;
}

describe('the guide to an operator without a cluster', needs('kubectl'), () => {
  let server: ChildProcess;
  let serverOutput = '';

  beforeAll(async () => {
    for (const line of COMMANDS.filter((one) => /^npm (?:init|pkg)/u.test(one))) await shell(line);
    const [, manifest = ''] = /^```yaml\n(.*?)^```$/msu.exec(GUIDE) ?? [];
    writeFileSync(join(folder, 'shop.yaml'), manifest);
    const [program = '', ...args] = words(onPackages(`${command('npx listwatch serve')} `));
    server = spawn(program, args, {
      cwd: folder,
      env: { ...process.env, LISTWATCH_PORT: '0' }, // 6443 may be taken
    });
    for (const stream of [server.stdout, server.stderr]) {
      stream?.on('data', (data: Buffer) => {
        serverOutput += String(data);
      });
    }
    while (!serverOutput.includes('Ready at')) {
      if (server.exitCode !== null) throw new Error(serverOutput);
      await Promise.race([
        once(server, 'close'),
        ...[server.stdout, server.stderr].map((one) => one && once(one, 'data')),
      ]);
    }
  });

  afterAll(async () => {
    if (server.exitCode === null) {
      const closed = once(server, 'close');
      server.kill('SIGTERM');
      await closed;
    }
  });

  it('leads from an empty folder to a kind of one’s own that kubectl knows', { timeout: 60_000 }, async () => {
    await using operator = new ExampleProcess(join(folder, 'main.ts'), join(folder, '.listwatch/kubeconfig'));
    await operator.says('websites are served\n');
    const kubectl = COMMANDS.filter((line) => line.startsWith('kubectl') && !line.includes('crds'));
    const outputs = new Map<string, string>();
    for (const line of kubectl) outputs.set(line, await shell(line));
    const [, table = ''] = /`kubectl get websites` prints\n\n```\n(.*?)```/su.exec(GUIDE) ?? [];
    expect(words(outputs.get('kubectl get websites') ?? '')).toEqual(words(table));
    expect(outputs.get('kubectl explain website.spec.replicas')).toContain('How many pods serve the pages.');
    await shell('mkdir crds');
    await shell(command('npx tsx crd.ts'));
    expect(await shell(command('kubectl apply --server-side -f crds'))).toContain('serverside-applied');
    for (const line of COMMANDS.filter((one) => one.startsWith('npx listwatch types'))) {
      rmSync(join(folder, 'theirs.ts'), { force: true });
      await shell(line);
      expect(readFileSync(join(folder, 'theirs.ts'), 'utf8')).toContain('export const websites = resource<Website>({');
    }
    expect(await operator.interrupt()).toBe(0);
  });
});

// Here, not by `npx vitest run`: a second vitest would load everything again.
describe('the test of the guide', async () => {
  await import(join(folder, 'operator.test.ts'));
});
