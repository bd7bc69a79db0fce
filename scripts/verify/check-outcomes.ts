/** What ran, and what came of it. */
export interface CheckOutcome {
  readonly name: string;
  readonly passed: boolean;
  readonly seconds: number;
  /** ISO 8601. */
  readonly endedAt: string;
  /** Of the machine, over the last five minutes: a duration without it says little. */
  readonly load: number;
  /** Where its output is. */
  readonly log: string;
  /** What its output says of the end: its first failure, or its last line. */
  readonly line: string;
}

export interface CheckState {
  /** The tree that the outcomes are about: another one starts anew. */
  readonly tree: string;
  readonly outcomes: readonly CheckOutcome[];
  /** How long each check took when it last passed, on this tree or an earlier one. */
  readonly seconds: Readonly<Record<string, number>>;
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
  const seconds = outcome.passed ? { ...state?.seconds, [outcome.name]: outcome.seconds } : { ...state?.seconds };
  return { tree, outcomes: [...kept, outcome], seconds };
}

/** The table, in the order of `names`, with the checks that did not run below it. */
export function outcomeTable(state: CheckState, names: readonly string[]): string {
  const found = names.map((name) => state.outcomes.find((one) => one.name === name));
  const rows = found.flatMap((outcome) => {
    if (outcome === undefined) return [];
    const { name, passed, seconds, load, endedAt, line } = outcome;
    const text = line.replaceAll('|', '\\|').slice(0, 160);
    const cells = [name, passed ? 'ok' : '**FAILED**', duration(seconds), load.toFixed(1), endedAt, text];
    return [`| ${cells.join(' | ')} |`];
  });
  const missing = names.filter((_, index) => found[index] === undefined);
  const heads = ['| check | result | took | load | ended | what it says |', '| --- | --- | --- | --- | --- | --- |'];
  return [
    `Tree ${state.tree}`,
    '',
    ...heads,
    ...rows,
    '',
    ...(missing.length === 0 ? [] : [`Not run: ${missing.join(', ')}`, '']),
  ].join('\n');
}

export function duration(seconds: number): string {
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
