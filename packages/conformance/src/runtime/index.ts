/** What the runtime promises, as a suite to run in front of any server. Start at `describeRuntime`. */

export { describeRuntime } from './describe-runtime.ts';
export type {
  RuntimeConnections,
  RuntimeMeans,
  RuntimeNetwork,
  RuntimePower,
  RuntimeServer,
} from './runtime-server.ts';
export type { RuntimeSuite } from './runtime-suite.ts';
