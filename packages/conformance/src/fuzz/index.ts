/** The fuzzer. Start at `runFuzz`; `describeFuzz` makes a test of it. */

export type { BodyShape, ShapedKind } from './body-shape.ts';
export { describeFuzz, EXPECTED_STATUSES, type FuzzSuite } from './describe-fuzz.ts';
export { FUZZ_KINDS, type FuzzKind } from './fuzz-kinds.ts';
export { type AttackStall, type FuzzProgress, type FuzzResult, type FuzzRunOptions, runFuzz } from './fuzz-run.ts';
export type { FuzzedServer, FuzzedServerReport } from './fuzzed-server.ts';
