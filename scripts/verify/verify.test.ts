import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { needs } from '@listwatch/conformance/parts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { outcomeTable } from './check-outcomes.ts';
import { LONG_CHECKS, type LongCheck, scriptOf } from './long-checks.ts';
import { runChecks } from './run-checks.ts';

let root = '';
let said: string[] = [];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'listwatch-verify-'));
  said = [];
});

afterEach(() => {
  rmSync(root, { recursive: true });
});

function git(...args: readonly string[]): void {
  expect(spawnSync('git', args, { cwd: root }).status).toBe(0);
}

/** A check that counts its runs, and passes unless it waits for the file `allowed`. */
function check(name: string, waits = false): LongCheck {
  const code = `require('node:fs').appendFileSync('runs', '${name}\\n'); console.log('end of ${name}');
    process.exit(${waits} && !require('node:fs').existsSync('allowed') ? 1 : 0)`;
  return { name, command: [process.execPath, '-e', code] };
}

function run(checks: readonly LongCheck[], again = false): Promise<readonly string[]> {
  return runChecks(checks, {
    root,
    again,
    names: [...checks.map(({ name }) => name), 'other'],
    say: (line) => said.push(line),
  });
}

function runs(): readonly string[] {
  return readFileSync(join(root, 'runs'), 'utf8').trim().split('\n');
}

describe('long checks in a repository', needs('git'), () => {
  beforeEach(() => {
    git('init', '-q');
    writeFileSync(join(root, '.gitignore'), '.listwatch\nallowed\nruns\n');
    git('add', '.');
    git('-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '-q', '-m', 'x');
  });

  it('a second run repeats what failed and leaves out what passed', async () => {
    const checks = [check('a'), check('b', true), check('c')];
    expect(await run(checks)).toEqual(['b']);
    writeFileSync(join(root, 'allowed'), '');
    expect(await run(checks)).toEqual([]);
    expect(runs()).toEqual(['a', 'b', 'c', 'b']);
    expect(await run(checks, true)).toEqual([]);
    expect(runs()).toEqual(['a', 'b', 'c', 'b', 'a', 'b', 'c']);
  });

  it('what passed before an edit is run again after it', async () => {
    await run([check('a')]);
    writeFileSync(join(root, 'source.ts'), '');
    await run([check('a')]);
    expect(runs()).toEqual(['a', 'a']);
  });

  it('an interrupted run has written down every check that had ended', async () => {
    const gone: LongCheck = { name: 'b', command: ['/nonexistent/program'] };
    expect(await run([check('a'), gone])).toEqual(['b']);
    const state: unknown = JSON.parse(readFileSync(join(root, '.listwatch/verify/state.json'), 'utf8'));
    expect(state).toMatchObject({
      outcomes: [
        { name: 'a', passed: true },
        { name: 'b', passed: false },
      ],
    });
    expect(existsSync(join(root, '.listwatch/verify/state.json.new'))).toBe(false);
  });

  it('the table says what ran, for how long, what failed, and what did not run', async () => {
    await run([check('a'), check('b', true)]);
    const table = readFileSync(join(root, '.listwatch/verify/report.md'), 'utf8');
    expect(table).toMatch(/\| a \| ok \| \d+ s \| \d{4}-.*Z \| end of a \|/u);
    expect(table).toMatch(/\| b \| \*\*FAILED\*\* \| \d+ s \|/u);
    expect(table).toContain('| other | not run |');
    const outcome = { name: 'a', passed: true, seconds: 3_725.4, endedAt: 'x', log: '', lastLine: 'a | b' };
    expect(outcomeTable({ tree: '', outcomes: [outcome] }, ['a'])).toContain('| a | ok | 62 min 5 s | x | a \\| b |');
  });
});

it('every long check is a script that exists, and every test and bench of the manifest is a long check', () => {
  const { scripts }: { readonly scripts: Readonly<Record<string, string>> } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  );
  const used = LONG_CHECKS.map(scriptOf);
  expect(used.filter((script) => scripts[script] === undefined)).toEqual([]);
  const long = Object.keys(scripts).filter(
    (script) => /^(?:test|bench)(?::|$)/u.test(script) && script !== 'test:unit',
  );
  expect(long.filter((script) => !used.includes(script))).toEqual([]);
  const names = LONG_CHECKS.map(({ name }) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index || !/^[a-z-]+$/u.test(name))).toEqual([]);
});
