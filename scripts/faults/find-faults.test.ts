import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import shared from '../../vitest.config.ts';
import { areaRow, type FaultOutcome, survivorList } from './fault-report.ts';
import { faultySource, filesBelow, isSource, isTest, type SampledFault, sampleFaults } from './fault-sample.ts';
import { namedTests } from './file-faults.ts';
import { isSyntax } from './planted-faults.mjs';
import { TestMap } from './test-map.ts';
import config from './vitest.config.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'listwatch-faults-'));
  mkdirSync(join(root, 'a/src'), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true }));

const SOURCE = Array.from({ length: 30 }, (_, i) => `export const f${i} = (a: number) => { return a > ${i}; };`).join(
  '\n',
);
const ids = (faults: readonly SampledFault[]): readonly string[] => faults.map(({ id }) => id).toSorted();

it('a sample is drawn by its seed, and an edit changes it only where it was made', () => {
  const file = 'a/src/f.ts';
  writeFileSync(join(root, file), SOURCE);
  const first = sampleFaults(root, [file], 20, 1);
  expect(first).toHaveLength(20);
  expect(ids(sampleFaults(root, [file], 20, 1))).toEqual(ids(first));
  expect(first.every((fault) => isSyntax(faultySource(fault)) && faultySource(fault) !== SOURCE)).toBe(true);
  expect(ids(sampleFaults(root, [file], 20, 2))).not.toEqual(ids(first));
  writeFileSync(join(root, file), `// more\n\n${SOURCE.replace('f3 =', 'g =')}`);
  const kept = sampleFaults(root, [file], 20, 1).filter(({ id }) => ids(first).includes(id));
  expect(kept.length).toBeGreaterThan(15);
  expect(kept.every(({ line, id }) => line === (first.find((one) => one.id === id)?.line ?? 0) + 2)).toBe(true);
});

it('sources are neither tests nor types nor what a build makes', () => {
  for (const file of ['f.ts', 'f.test.ts', 'f.test-d.ts', 'f.fixture.ts', 'f.json'])
    writeFileSync(join(root, 'a/src', file), '');
  mkdirSync(join(root, 'a/dist'));
  writeFileSync(join(root, 'a/dist/f.ts'), '');
  expect(filesBelow(root, ['a'], isSource)).toEqual(['a/src/f.ts']);
  expect(filesBelow(root, ['a'], isTest)).toEqual(['a/src/f.test.ts']);
  expect(isTest('a/src/f.process.test.ts')).toBe(false);
});

it('a file is examined with the tests that are named after it', () => {
  for (const file of ['f.ts', 'f.prop.test.ts', 'g.ts', 'g.test.ts', 'fg.test.ts'])
    writeFileSync(join(root, 'a/src', file), '');
  expect(namedTests(root, 'a/src/f.ts')).toEqual(['a/src/f.prop.test.ts']);
  expect(namedTests(root, 'a/src/g.ts')).toEqual(['a/src/g.test.ts']);
  expect(namedTests(root, 'a/src/h.ts')).toEqual([]);
});

it('a fault is shown to the tests that run its function: those beside it first, then the quickest, few of them whatever they take; never to one that fails anyway', () => {
  const place = 'packages/s/src/cache/tree.ts#Tree.get';
  const seen = (seconds: number, hits: readonly string[] = [place], passed = true): object => ({
    hash: '',
    passed,
    seconds,
    hits,
  });
  const file = join(root, 'map.json');
  writeFileSync(
    file,
    JSON.stringify({
      'packages/s/test/quick.test.ts': seen(1),
      'packages/s/test/slow.test.ts': seen(58),
      'packages/s/test/slowest.test.ts': seen(70),
      'packages/s/test/broken.test.ts': seen(1, [place], false),
      'packages/s/src/cache/list.test.ts': seen(3),
      'packages/s/src/cache/tree.test.ts': seen(5),
      'packages/s/src/cache/other.test.ts': seen(1, ['packages/s/src/cache/tree.ts#Tree.set']),
    }),
  );
  const map = new TestMap(root, file);
  const fault = { file: 'packages/s/src/cache/tree.ts', place: 'Tree.get' };
  const found = map.testsFor(fault);
  const names = ['src/cache/tree', 'src/cache/list', 'test/quick', 'test/slow'];
  expect(found).toEqual(names.map((name) => `packages/s/${name}.test.ts`));
  expect(map.secondsOf(found)).toBe(67);
  expect(map.testsFor({ ...fault, place: 'Tree.none' })).toEqual([]);
  // What runs when the module is loaded: every test that loads it.
  expect(map.testsFor({ ...fault, place: '' })).toContain('packages/s/src/cache/other.test.ts');
});

function outcome(found: string | undefined, tests = 2): FaultOutcome {
  return { id: '', where: 'a.ts:1', what: 'left out: a()', tests, seconds: 1, found };
}

it('the table has the rate of an area, and a list of what no test has noticed', () => {
  const outcomes = [outcome('a test'), outcome('no end'), outcome('x'), outcome(undefined), outcome(undefined, 0)];
  expect(areaRow('queue', outcomes, 495, 90)).toEqual({ row: '| queue | 495 | 5 | 3 | 60 % | 2 min |', percent: 60 });
  expect(survivorList('queue', outcomes)).toBe(
    'Not found in queue:\n\n- `a.ts:1` left out: a() (2 test files ran it)\n- `a.ts:1` left out: a() (no test runs it)\n',
  );
  expect(survivorList('queue', outcomes.slice(0, 3))).toBe('');
});

it('every project of vitest has the faults and the notes: one does not inherit what stands beside the projects', () => {
  const projects = (config.test?.projects ?? []).filter((project) => typeof project === 'object');
  expect(projects).toHaveLength(shared.test?.projects?.length ?? 0);
  expect(projects.length).toBeGreaterThan(1);
  for (const project of projects) {
    expect(project).toMatchObject({
      plugins: [{ name: 'listwatch:faults' }],
      test: { setupFiles: expect.arrayContaining(['scripts/faults/fault-hits-setup.ts']) },
    });
  }
});
