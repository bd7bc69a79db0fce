import { describe, expect, test } from 'vitest';
import { COST_LIMIT_EXCEEDED } from '../src/index.ts';
import { type JudgedCase, judgedCases, judgedEnvironments, solve } from './judged-cases.fixture.ts';
import { KNOWN_DIFFERENCES } from './known-differences.fixture.ts';

const environments = judgedEnvironments();
const groups = grouped(judgedCases());

/** The parts of an outcome that differ from what cel-go says, one line each. */
function differences(one: JudgedCase): string[] {
  const ours = solve(one, environments);
  if (one.refused !== undefined || ours.refused !== undefined) {
    return ours.refused === one.refused
      ? []
      : [line(one, 'refused', ours.refused ?? ours.value ?? ours.failed, one.refused ?? one.value ?? one.failed)];
  }
  const found: string[] = [];
  for (const part of ['type', 'value', 'failed', 'cost'] as const) {
    if (part === 'cost' && isCancelled(ours) && isCancelled(one)) continue;
    if (JSON.stringify(ours[part]) !== JSON.stringify(one[part])) found.push(line(one, part, ours[part], one[part]));
  }
  const [min, max] = one.estimate ?? [];
  if (Number(ours.estimate?.[0]) !== Number(min) || Number(ours.estimate?.[1]) !== Number(max)) {
    found.push(line(one, 'estimate', ours.estimate, one.estimate));
  }
  return found;
}

/** An evaluation that is cancelled has used more than the limit: how much more is not compared. */
function isCancelled({ failed }: Pick<JudgedCase, 'failed'>): boolean {
  return failed === COST_LIMIT_EXCEEDED.message;
}

function line({ expression, environment }: JudgedCase, part: string, ours: unknown, theirs: unknown): string {
  const where = environment === undefined ? '' : ` @${environment}`;
  return `${expression}${where}\n    ${part}: ${JSON.stringify(ours)}\n    not: ${JSON.stringify(theirs)}`;
}

function grouped(cases: readonly JudgedCase[]): Map<string, JudgedCase[]> {
  const found = new Map<string, JudgedCase[]>();
  for (const one of cases) found.set(one.group, [...(found.get(one.group) ?? []), one]);
  return found;
}

describe('expressions have the type, value, error, cost and estimate that cel-go gives them', () => {
  test.each([...groups])('%s', (_group, cases) => {
    const found = cases.filter(({ expression }) => !KNOWN_DIFFERENCES.has(expression)).flatMap(differences);
    expect(found.slice(0, 20).join('\n'), `${found.length} differences`).toBe('');
  });

  test('but for the known differences, each of which is one still', () => {
    const cases = [...groups.values()].flat().filter(({ expression }) => KNOWN_DIFFERENCES.has(expression));
    expect(cases).toHaveLength(KNOWN_DIFFERENCES.size);
    expect(cases.filter((one) => differences(one).length === 0).map(({ expression }) => expression)).toEqual([]);
  });
});
