import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { needs } from '@listwatch/conformance/parts';
import { applyStrategicPatch, createThreeWayPatch, createTwoWayPatch, StrategicMergeError } from '@listwatch/schema';
import { describe, expect, it } from 'vitest';
import { loadSchemas } from '../src/load-schemas.ts';

/** A case that Go has solved: `cases.jsonl` is what the program beside it prints. */
interface Case {
  readonly type: `${string}.${string}`;
  readonly does: 'apply' | 'careful' | 'threeWay' | 'twoWay';
  readonly original: object;
  readonly patch?: object;
  readonly modified?: object;
  readonly current?: object;
  readonly result?: unknown;
  readonly error?: string;
  /** kube-apiserver drops the connection. */
  readonly panics?: true;
}

const here = fileURLToPath(new URL('strategic-merge/', import.meta.url));
const fixture = readFileSync(join(here, 'cases.jsonl'), 'utf8');
const cases = fixture
  .trimEnd()
  .split('\n')
  .map((line): Case => JSON.parse(line));
const schemas = await loadSchemas();

function solve({ type, does, original, patch = {}, modified = {}, current = {} }: Case): unknown {
  if (does === 'apply') return applyStrategicPatch(schemas, type, original, patch);
  if (does === 'twoWay') return createTwoWayPatch(schemas, type, original, modified);
  return createThreeWayPatch(schemas, type, { original, modified, current }, { overwrite: does === 'threeWay' });
}

/** The result, or the message of the error. */
function outcome(one: Case): unknown {
  try {
    return { result: solve(one) };
  } catch (error) {
    if (!(error instanceof StrategicMergeError)) throw error;
    return { error: error.code === 'PATCH_CONFLICT' ? 'conflict' : error.message };
  }
}

describe('what Go makes of strategic merge patches', () => {
  it('has cases of every sort', () => {
    const kinds = new Set(cases.map(({ does, error }) => `${does} ${error === undefined ? 'works' : 'fails'}`));
    expect(kinds.size).toBeGreaterThanOrEqual(6);
    expect(cases.length).toBeGreaterThan(400);
  });

  it.each(cases.map((one, line) => ({ ...one, line: line + 1 })))('line $line: $does of $type', (one) => {
    const input = JSON.stringify(one);
    const { result, error, panics } = one;
    const ours = outcome(one);
    if (panics === true) expect(ours).toHaveProperty('error');
    else expect(ours).toEqual(error === undefined ? { result } : { error });
    expect(JSON.stringify(one), 'the input is not changed').toBe(input);
  });
});

// `npm run test:kinds`.
describe('the program in Go', needs('Go'), () => {
  it('still writes the cases that are kept here', () => {
    const program = join(tmpdir(), 'listwatch-strategic-merge');
    execFileSync('go', ['build', '-o', program, '.'], { cwd: here, stdio: ['ignore', 'ignore', 'inherit'] });
    expect(execFileSync(program, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })).toBe(fixture);
  }, 600_000);
});
