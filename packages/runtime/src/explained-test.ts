/** Tests of a value that can be combined, and that can say why they do not hold. */

/** A test. A plain function is one. */
export interface ExplainedTest<V> {
  (value: V): boolean;
  /** Why it does not hold, as a clause: `condition Ready is False`. */
  readonly explain?: ((value: V) => string) | undefined;
}

/** Holds when one of them does. */
export function anyOf<V>(...tests: readonly ExplainedTest<V>[]): ExplainedTest<V> {
  const test = (value: V): boolean => tests.some((one) => one(value));
  return Object.assign(test, { explain: (value: V) => tests.map((one) => explain(one, value)).join(', and ') });
}

/** Holds when all of them do. */
export function allOf<V>(...tests: readonly ExplainedTest<V>[]): ExplainedTest<V> {
  const test = (value: V): boolean => tests.every((one) => one(value));
  const failing = (value: V): string => explain(tests.find((one) => !one(value)) ?? test, value);
  return Object.assign(test, { explain: failing });
}

/** Holds when the other does not. */
export function not<V>(test: ExplainedTest<V>): ExplainedTest<V> {
  const name = test.name === '' ? 'the condition' : test.name;
  return Object.assign((value: V): boolean => !test(value), { explain: () => `${name} still holds` });
}

/** Why a test does not hold. */
export function explain<V>(test: ExplainedTest<V>, value: V): string {
  return test.explain?.(value) ?? 'the condition does not hold';
}
