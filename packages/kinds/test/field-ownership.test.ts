import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { needs } from '@listwatch/conformance/parts';
import { describe, expect, it } from 'vitest';
import {
  expected,
  isSequence,
  outcomes,
  type PrintedFields,
  printsAlike,
  type Sequence,
} from './field-ownership/sequence.ts';

const here = fileURLToPath(new URL('field-ownership/', import.meta.url));
const fixture = readFileSync(join(here, 'cases.jsonl'), 'utf8');
const lines = fixture
  .trimEnd()
  .split('\n')
  .map((line): PrintedFields | Sequence => JSON.parse(line));
const sequences = lines.filter(isSequence);
const sets = lines.filter((line): line is PrintedFields => !isSequence(line));

describe('what the field manager of Kubernetes makes of writes and applies', () => {
  it('has cases of every sort', () => {
    const steps = sequences.flatMap((sequence) => sequence.steps);
    const sorts = new Set(steps.map((step) => `${step.does} ${Object.keys(expected(step))[0]}`));
    expect([...sorts].toSorted()).toEqual(['apply conflict', 'apply error', 'apply result', 'update result']);
    expect(steps.length).toBeGreaterThanOrEqual(1000);
    for (const word of ['ancient-changes', 'before-first-apply', 'x.io/v2', '"subresource":"status"']) {
      expect(fixture).toContain(word);
    }
  });

  it.each(sequences.map((sequence, line) => ({ sequence, line: line + 1 })))('line $line', ({ sequence }) => {
    const input = JSON.stringify(sequence);
    expect(outcomes(sequence)).toEqual(sequence.steps.map(expected));
    expect(JSON.stringify(sequence), 'the input is not changed').toBe(input);
  });
});

describe('how Kubernetes reads and prints sets of fields', () => {
  it('has sets that can be read and sets that cannot', () => {
    expect(sets.filter(({ fails }) => fails === true).length).toBeGreaterThan(10);
    expect(sets.length).toBeGreaterThan(250);
  });

  it('is how they are read and printed here', () => {
    expect(sets.filter((set) => !printsAlike(set))).toEqual([]);
  });
});

// `npm run test:kinds`.
describe('the program in Go', needs('Go'), () => {
  it('still writes the cases that are kept here', () => {
    const program = join(tmpdir(), 'listwatch-field-ownership');
    execFileSync('go', ['build', '-o', program, '.'], { cwd: here, stdio: ['ignore', 'ignore', 'inherit'] });
    expect(execFileSync(program, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })).toBe(fixture);
  }, 600_000);
});
