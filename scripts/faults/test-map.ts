import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { FaultRuns } from './fault-runs.ts';
import type { SampledFault } from './fault-sample.ts';

/** What one test file runs, as it was found by running it. */
interface MappedTest {
  readonly hash: string;
  readonly passed: boolean;
  readonly seconds: number;
  /** `file#place` for each function. */
  readonly hits: readonly string[];
}

/** How many test files one run has. */
const PART = 20;

/** At most so much of tests for one fault that none of them finds; the first files run whatever they take: a suite is slow on a busy machine. */
const MOST_FILES = 30;
const MOST_SECONDS = 60;
const FIRST_FILES = 4;

/** Which tests run which functions: a fault is looked for where it is run. */
export class TestMap {
  readonly #root: string;
  readonly #file: string;
  readonly #tests: Map<string, MappedTest>;

  constructor(root: string, file: string) {
    this.#root = root;
    this.#file = file;
    const saved: Record<string, MappedTest> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
    this.#tests = new Map(Object.entries(saved));
  }

  /** Runs the tests that are new or have changed. */
  async update(tests: readonly string[], sources: readonly string[], say: (line: string) => void): Promise<void> {
    for (const known of this.#tests.keys()) if (!tests.includes(known)) this.#tests.delete(known);
    const hashes = new Map(tests.map((test) => [test, hashOf(join(this.#root, test))]));
    const waiting = tests.filter((test) => this.#tests.get(test)?.hash !== hashes.get(test));
    mkdirSync(dirname(this.#file), { recursive: true });
    const notes = `${this.#file}.hits`;
    const runs = new FaultRuns(['--count'], { FAULT_HITS: notes });
    try {
      // In parts, so that an interruption costs little.
      for (let from = 0; from < waiting.length; from += PART) {
        writeFileSync(notes, '');
        const part = waiting.slice(from, from + PART);
        const run = await runs.run({ source: undefined, files: sources, tests: part }, 1_800_000);
        if (run === undefined) throw new Error(`the tests do not end, without a fault: ${part.join(', ')}`);
        const hits = readHits(notes, this.#root);
        for (const { file, state, seconds, failed } of run.tests) {
          const passed = state === 'passed';
          if (!passed) say(`     ${file} is left out: ${state} without a fault (${failed ?? 'nothing ran'})`);
          this.#tests.set(file, { hash: hashes.get(file) ?? '', passed, seconds, hits: hits.get(file) ?? [] });
        }
        writeFileSync(this.#file, JSON.stringify(Object.fromEntries(this.#tests)));
        say(`     ${Math.min(from + PART, waiting.length)} of ${waiting.length} test files mapped`);
      }
    } finally {
      runs.close();
    }
  }

  /** The tests that run the place of a fault: those beside it first, then the quickest. */
  testsFor({ file, place }: Pick<SampledFault, 'file' | 'place'>): readonly string[] {
    const near = [...this.#tests].filter(([, { passed }]) => passed);
    const exact = near.filter(([, { hits }]) => hits.includes(`${file}#${place}`));
    // What runs while a module is loaded has no place of its own.
    const found = place === '' ? near.filter(([, { hits }]) => hits.some((hit) => hit.startsWith(`${file}#`))) : exact;
    const sorted = found.toSorted(([a, { seconds: x }], [b, { seconds: y }]) => {
      const distance = depthOf(file, b) - depthOf(file, a);
      return distance === 0 ? x - y : distance;
    });
    const chosen: string[] = [];
    let total = 0;
    for (const [test, { seconds }] of sorted) {
      if (chosen.length >= MOST_FILES || (chosen.length >= FIRST_FILES && total + seconds > MOST_SECONDS)) continue;
      chosen.push(test);
      total += seconds;
    }
    return chosen;
  }

  secondsOf(tests: readonly string[]): number {
    return tests.reduce((sum, test) => sum + (this.#tests.get(test)?.seconds ?? 0), 0);
  }
}

/** How many folders two files have in common, and one more for a test that has the name of the file. */
function depthOf(source: string, test: string): number {
  const [a, b] = [dirname(source).split('/'), dirname(test).split('/')];
  const different = a.findIndex((name, i) => name !== b[i]);
  const depth = different === -1 ? a.length : different;
  return depth + (test.startsWith(source.replace(/ts$/u, '')) ? 1 : 0);
}

function hashOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 16);
}

function readHits(file: string, root: string): ReadonlyMap<string, readonly string[]> {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return new Map(
    lines.map((line) => {
      const { test, hits }: { readonly test: string; readonly hits: readonly string[] } = JSON.parse(line);
      return [test.slice(root.length), hits];
    }),
  );
}
