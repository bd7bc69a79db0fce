/**
 * The real parts (etcd, kubectl, ...) that tests were skipped for, from the tests of vitest's JSON report. `needs` in
 * packages/conformance/src/parts/real-part.ts writes what is read here.
 */
export function missingParts(assertions) {
  const parts = new Map();
  for (const { name, get } of assertions.flatMap(({ meta }) => meta?.missingPart ?? [])) {
    const { leftOut } = parts.get(name) ?? { leftOut: 0 };
    parts.set(name, { name, get, leftOut: leftOut + 1 });
  }
  return [...parts.values()];
}

/** `1 test`, `2 tests`. */
export function countTests(number) {
  return number === 1 ? '1 test' : `${number} tests`;
}
