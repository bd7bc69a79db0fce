import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findRealPart, needs, startKubeApiserver } from '@listwatch/conformance/parts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const tool = fileURLToPath(new URL('../../../tools/kinds/', import.meta.url));
const generated = fileURLToPath(new URL('../src/generated/', import.meta.url));
const TIMEOUT_MS = 300_000;

let scratch = '';
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'listwatch-kinds-'));
});
afterAll(() => rmSync(scratch, { recursive: true }));

/** Runs the generator; throws with what it says when it fails. */
function runTool(...args: readonly string[]): void {
  execFileSync('go', ['run', '.', ...args], { cwd: tool, stdio: ['ignore', 'inherit', 'inherit'] });
}

function contents(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  return Object.fromEntries(files.toSorted().map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

describe('the generator', needs('Go'), () => {
  it(
    'writes exactly the files that are committed',
    () => {
      const out = join(scratch, 'generated');
      runTool('generate', '-out', out);
      expect(Object.keys(contents(out))).toEqual(Object.keys(contents(generated)));
      expect(contents(out)).toEqual(contents(generated));
    },
    TIMEOUT_MS,
  );
});

describe('against a running server', needs(findRealPart('Go') === undefined ? 'Go' : 'kube-apiserver'), () => {
  it(
    'the OpenAPI that follows from the data is that of kube-apiserver, and so is discovery',
    async () => {
      await using server = await startKubeApiserver();
      const ca = join(scratch, 'ca.crt');
      writeFileSync(ca, server.ca);
      const access = ['-server', server.url, '-token', server.token, '-ca', ca];
      runTool('check', ...access);
      const recorded = join(scratch, 'discovery.json');
      runTool('record', '-discovery', recorded, ...access);
      expect(readFileSync(recorded, 'utf8')).toBe(readFileSync(join(tool, 'discovery.json'), 'utf8'));
    },
    TIMEOUT_MS,
  );
});
