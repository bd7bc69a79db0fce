import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { partOfProgram } from '@listwatch/conformance/parts';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Not `pool.run('job')`: jobs of a worker thread are no programs. */
const STARTS = /(?:(?<!\.)\brun|\b(?:exec|execFile|execFileSync|execSync|spawn|spawnSync))\(\s*['"`]([\w.-]+)/gu;
const ALWAYS_THERE: ReadonlySet<string> = new Set(['node', 'npm', 'npx']);

function testFiles(): readonly string[] {
  return ['packages', 'apps', 'bench', 'examples', 'scripts'].flatMap((area) =>
    readdirSync(join(root, area), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.test(?:-d)?\.ts$/u.test(file) && !/(?:^|\/)(?:node_modules|dist)\//u.test(file))
      .map((file) => join(area, file)),
  );
}

/** What a test file starts although the machine may not have it. */
function unannounced(text: string): readonly string[] {
  const programs = [...text.matchAll(STARTS)].map(([, program = '']) => program);
  return programs.filter((program) => {
    const part = partOfProgram(program);
    return !ALWAYS_THERE.has(program) && (part === undefined || !text.includes(`needs('${part}')`));
  });
}

// On a machine with Node and npm alone a test that starts another program fails, instead of being skipped with its reason.
it('a test that starts a program says which part it needs: real-part.ts describes them', () => {
  const files = testFiles();
  expect(files.length).toBeGreaterThan(200);
  const wrong = files.flatMap((file) =>
    unannounced(readFileSync(join(root, file), 'utf8')).map((program) => `${file} starts ${program}`),
  );
  expect(wrong).toEqual([]);
  // Written so that this file does not accuse itself.
  const call = 'spawnSync';
  expect(unannounced(`${call}('git', [])`)).toEqual(['git']);
});
