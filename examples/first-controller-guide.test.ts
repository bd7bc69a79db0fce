/** Follows docs/guide/first-controller.md word by word, in an empty folder. */

import { exec } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { needs } from '@listwatch/conformance/parts';
import { startTestServer, type TestEnvironment } from '@listwatch/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ExampleProcess } from './example-process.fixture.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const GUIDE = readFileSync(join(ROOT, 'docs/guide/first-controller.md'), 'utf8');
const run = promisify(exec);

/** The commands of the guide that begin with this word. */
function commands(word: string): readonly string[] {
  return [...GUIDE.matchAll(/^ {4}(.*)$/gmu)].flatMap(([, line = '']) => (line.startsWith(`${word} `) ? [line] : []));
}

let folder = '';
let env: TestEnvironment;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'listwatch-guide-'));
  env = await startTestServer({ listen: true });
  writeFileSync(join(folder, 'kubeconfig'), env.kubeconfig);
});

afterEach(async () => {
  await env.close();
  rmSync(folder, { recursive: true });
});

const shell = async (line: string): Promise<string> => {
  const { stdout } = await run(line, {
    cwd: folder,
    env: { ...process.env, KUBECONFIG: join(folder, 'kubeconfig') },
  });
  return stdout;
};

/** Stands for `npm install`: the packages of the guide are those of this repository. */
async function install(): Promise<void> {
  const [init = '', type = '', packages = '', tools = ''] = commands('npm');
  await shell(init);
  await shell(type);
  for (const name of [packages, tools].flatMap((line) => line.split(' ')).filter((word) => /^@|^tsx$/u.test(word))) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(join(link, '..'), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), link);
  }
}

describe('the guide to a first controller', needs('kubectl'), () => {
  it('leads from an empty folder to a greeting that comes back', { timeout: 60_000 }, async () => {
    await install();
    const [, program = ''] = /```ts\n(.*?)```/su.exec(GUIDE) ?? [];
    const file = join(folder, 'greet.ts');
    writeFileSync(file, program);
    await using greeter = new ExampleProcess(file, join(folder, 'kubeconfig'));
    const [create = '', label = '', get = ''] = commands('kubectl');
    await shell(create);
    await shell(label);
    await greeter.says('greeted Ada\n');
    expect(await shell(get)).toBe('Hello, Ada!');
    await shell('kubectl delete configmap ada-greeting');
    await vi.waitFor(async () => expect(await shell(get)).toBe('Hello, Ada!'), { timeout: 20_000 });
    await shell('kubectl delete configmap ada');
    await shell('kubectl wait --for=delete configmap/ada-greeting --timeout=20s');
    expect(await greeter.interrupt()).toBe(0);
  });
});
