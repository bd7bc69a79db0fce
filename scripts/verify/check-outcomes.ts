/** What ran, and what came of it. */
export interface CheckOutcome {
  readonly name: string;
  readonly passed: boolean;
  readonly seconds: number;
  /** ISO 8601. */
  readonly endedAt: string;
  /** Where its output is. */
  readonly log: string;
  /** The end of its output. */
  readonly lastLine: string;
}

export interface CheckState {
  /** The tree that the outcomes are about: another one starts anew. */
  readonly tree: string;
  readonly outcomes: readonly CheckOutcome[];
}

/** What is still to be run: an interrupted or failed check runs again, one that passed on this tree does not. */
export function remainingChecks<T extends { readonly name: string }>(
  checks: readonly T[],
  state: CheckState | undefined,
  tree: string,
): readonly T[] {
  const passed = new Set(
    state?.tree === tree ? state.outcomes.filter((one) => one.passed).map(({ name }) => name) : [],
  );
  return checks.filter(({ name }) => !passed.has(name));
}

/** The state after a check has ended. */
export function withOutcome(state: CheckState | undefined, tree: string, outcome: CheckOutcome): CheckState {
  const kept = state?.tree === tree ? state.outcomes.filter(({ name }) => name !== outcome.name) : [];
  return { tree, outcomes: [...kept, outcome] };
}

/** The table, in the order of `names`; checks that did not run are in it, too. */
export function outcomeTable(state: CheckState, names: readonly string[]): string {
  const rows = names.map((name) => {
    const outcome = state.outcomes.find((one) => one.name === name);
    if (outcome === undefined) return `| ${name} | not run | | | |`;
    const { passed, seconds, endedAt, lastLine } = outcome;
    const text = lastLine.replaceAll('|', '\\|').slice(0, 120);
    return `| ${name} | ${passed ? 'ok' : '**FAILED**'} | ${duration(seconds)} | ${endedAt} | ${text} |`;
  });
  return ['| check | result | took | ended | last line |', '| --- | --- | --- | --- | --- |', ...rows, ''].join('\n');
}

function duration(seconds: number): string {
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
