import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { needs } from '@listwatch/conformance/parts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { outcomeTable } from './check-outcomes.ts';
import { reasonToWait } from './check-times.ts';
import { chosenChecks, LONG_CHECKS, type LongCheck, scriptOf } from './long-checks.ts';
import { type RunOptions, runChecks } from './run-checks.ts';
import { tellingLine } from './telling-line.ts';

let root = '';
let said: string[] = [];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'listwatch-verify-'));
  said = [];
});

afterEach(() => {
  // A failed test has left them running.
  for (const pid of startedPids().filter(isAlive)) process.kill(pid, 'SIGKILL');
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

function run(checks: readonly LongCheck[], more: Partial<RunOptions> = {}): Promise<readonly string[]> {
  return runChecks(checks, {
    root,
    again: false,
    names: [...checks.map(({ name }) => name), 'other'],
    say: (line) => said.push(line),
    signal: new AbortController().signal,
    ...more,
  });
}

/** A check that starts two programs, one of them in a group of its own and deaf to SIGTERM, and waits for ever. */
const STARTS_OTHERS = `
  const { spawn } = require('node:child_process');
  const { appendFileSync, writeFileSync } = require('node:fs');
  const { join } = require('node:path');
  const deaf = 'process.on("SIGTERM", () => {}); process.stdout.write("up"); setInterval(() => {}, 1000)';
  const waits = 'process.stdout.write("up"); setInterval(() => {}, 1000)';
  writeFileSync(join(process.env.TMPDIR, 'store'), '');
  appendFileSync('scratch', process.env.TMPDIR);
  for (const [code, detached] of [[deaf, true], [waits, false]]) {
    const child = spawn(process.execPath, ['-e', code], { detached, stdio: ['ignore', 'pipe', 'ignore'] });
    child.stdout.once('data', () => appendFileSync('started', child.pid + '\\n'));
  }
  appendFileSync('started', process.pid + '\\n');
  setInterval(() => {}, 1000);`;

function startedPids(): readonly number[] {
  const file = join(root, 'started');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').map(Number) : [];
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // Its parent has ended, so that nobody may have asked about it yet: a zombie takes signals, too.
    const state = `/proc/${pid}/stat`;
    return !existsSync(state) || !readFileSync(state, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}

function runs(): readonly string[] {
  return readFileSync(join(root, 'runs'), 'utf8').trim().split('\n');
}

describe('long checks in a repository', needs('git'), () => {
  beforeEach(() => {
    git('init', '-q');
    writeFileSync(join(root, '.gitignore'), '.listwatch\nallowed\nruns\nscratch\nstarted\n');
    git('add', '.');
    git('-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '-q', '-m', 'x');
  });

  it('a second run repeats what failed and leaves out what passed', async () => {
    const checks = [check('a'), check('b', true), check('c')];
    expect(await run(checks)).toEqual(['b']);
    writeFileSync(join(root, 'allowed'), '');
    expect(await run(checks)).toEqual([]);
    expect(runs()).toEqual(['a', 'b', 'c', 'b']);
    expect(await run(checks, { again: true })).toEqual([]);
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

  it('two runs beside each other do not forget what the other one has run', async () => {
    const code = `const wait = () => require('node:fs').existsSync('allowed') ? console.log('end') : setTimeout(wait, 20); wait()`;
    const slow = run([{ name: 'slow', command: [process.execPath, '-e', code] }]);
    await run([check('a')]);
    writeFileSync(join(root, 'allowed'), '');
    await slow;
    const { outcomes } = JSON.parse(readFileSync(join(root, '.listwatch/verify/state.json'), 'utf8'));
    expect(outcomes).toMatchObject([{ name: 'a' }, { name: 'slow' }]);
  });

  it('the table says what ran, for how long, under which load, what failed, and what did not run', async () => {
    await run([check('a'), check('b', true)]);
    const table = readFileSync(join(root, '.listwatch/verify/report.md'), 'utf8');
    expect(table).toMatch(/\| a \| ok \| \d+ s \| \d+\.\d \| \d{4}-.*Z \| end of a \|/u);
    expect(table).toMatch(/\| b \| \*\*FAILED\*\* \| \d+ s \|/u);
    expect(table).toContain('Not run: other\n');
    const outcome = { name: 'a', passed: true, seconds: 3_725.4, endedAt: 'x', load: 2.04, log: '', line: 'a | b' };
    const state = { tree: '', outcomes: [outcome], seconds: {} };
    expect(outcomeTable(state, ['a'])).toContain('| a | ok | 62 min 5 s | 2.0 | x | a \\| b |');
    expect(said.join('\n')).toContain('| a | ok | ');
  });

  it.skipIf(process.platform === 'win32')(
    'an interruption ends the running check with all that it has started, and the next run begins there',
    async () => {
      const interruption = new AbortController();
      const waits: LongCheck = { name: 'b', command: [process.execPath, '-e', STARTS_OTHERS] };
      const running = run([check('a'), waits, check('c')], { signal: interruption.signal, graceMs: 500 });
      await vi.waitFor(() => expect(startedPids()).toHaveLength(3), { timeout: 20_000 });
      expect(startedPids().map(isAlive)).toEqual([true, true, true]);
      interruption.abort();
      expect(await running).toEqual([]);
      expect(startedPids().map(isAlive)).toEqual([false, false, false]);
      expect(existsSync(readFileSync(join(root, 'scratch'), 'utf8'))).toBe(false);
      expect(runs()).toEqual(['a']);
      await run([check('a'), check('b'), check('c')]);
      expect(runs()).toEqual(['a', 'b', 'c']);
    },
    60_000,
  );

  it.skipIf(process.platform === 'win32')(
    'a check that leaves a program running has failed, and the program is ended',
    async () => {
      const code = `
        const { spawn } = require('node:child_process');
        const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
        require('node:fs').appendFileSync('started', String(child.pid));
        process.exit(0)`;
      expect(await run([{ name: 'a', command: [process.execPath, '-e', code] }], { graceMs: 200 })).toEqual(['a']);
      expect(said.join('\n')).toMatch(/FAIL {2}a .*left running: \S+ \(\d+\)/u);
      expect(startedPids().map(isAlive)).toEqual([false]);
    },
    60_000,
  );

  it('a check that would end after the limit is left for another run, shorter ones behind it are not', async () => {
    const checks = [check('a'), { ...check('b'), minutes: 30 }, { ...check('c'), minutes: 1 }];
    expect(await run(checks, { limitMinutes: 20 })).toEqual([]);
    expect(runs()).toEqual(['a', 'c']);
    expect(said).toContain('3 checks, about 31 min 0 s and 1 of unknown length');
    expect(said.join('\n')).toMatch(/left {2}b: it takes about 30 min 0 s, and (?:20 min 0|19 min \d+) s are left/u);
    expect(said.at(-1)).toContain('2 passed, 0 failed, 1 left');
    await run(checks);
    expect(runs()).toEqual(['a', 'c', 'b']);
    // Now it is known how long it takes, also on another tree.
    writeFileSync(join(root, 'source.ts'), '');
    await run(checks, { limitMinutes: 20 });
    expect(runs()).toEqual(['a', 'c', 'b', 'a', 'b', 'c']);
  });

  it('a check that edits the tree is told of: what has passed would run again', async () => {
    const edits: LongCheck = {
      name: 'a',
      command: [process.execPath, '-e', `require('fs').writeFileSync('page', '')`],
    };
    await run([edits]);
    expect(said.at(-1)).toContain('The checks have changed the tree');
  });
});

it('no check begins when the time is over', () => {
  expect(reasonToWait({ name: 'a' }, {}, 0)).toBe('the time is over');
  expect(reasonToWait({ name: 'a', minutes: 1 }, {}, 60)).toBeUndefined();
  expect(reasonToWait({ name: 'a', minutes: 1 }, { a: 61 }, 60)).toContain('1 min 1 s');
});

it('checks are chosen by name, and a name that nobody knows is refused', () => {
  expect(chosenChecks({ only: 'docs,release' }).map(({ name }) => name)).toEqual(['release', 'docs']);
  expect(chosenChecks({ skip: 'leaks,soak' }).map(({ name }) => name)).not.toContain('leaks');
  expect(chosenChecks({ skip: 'leaks,soak' })).toHaveLength(LONG_CHECKS.length - 2);
  expect(() => chosenChecks({ skip: 'leeks' })).toThrow('no check is called leeks');
  const [docs, seeds] = chosenChecks({ only: 'docs,seeds', small: true });
  expect(docs).toEqual(LONG_CHECKS.find(({ name }) => name === 'docs'));
  expect(seeds).toMatchObject({ name: 'seeds-small', command: ['npm', 'run', '-s', 'test:seeds', '--', '1'] });
});

it('the line of a check names its first failure', () => {
  const output = ' \u001B[31mFAIL\u001B[39m  a.test.ts > x\nError: y\n FAIL  b.test.ts > z\n\n Duration  3 s\n';
  expect(tellingLine(output, false)).toBe('FAIL  a.test.ts > x (and 1 more)');
  expect(tellingLine('TypeError: no\n    at x\n', false)).toBe('TypeError: no');
  expect(tellingLine(' Tests  12 passed | 3 skipped (15)\n Duration  3 s\n', true)).toBe(
    'Tests  12 passed | 3 skipped (15)',
  );
  expect(tellingLine('183 pages\n', true)).toBe('183 pages');
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
