/** The suite that the runtime passes in front of every server, ours on each of its stores and kube-apiserver itself. */

import { changeCases } from './change-cases.ts';
import { checkpointCases } from './checkpoint-cases.ts';
import { crowdCases } from './crowd-cases.ts';
import { declareRuntimeSections, type RuntimeSuite } from './runtime-suite.ts';
import { selectionCases } from './selection-cases.ts';
import { syncCases } from './sync-cases.ts';
import { troubleCases } from './trouble-cases.ts';

/** Declares the tests for one way to a server. Call it at the top of a test file. */
export function describeRuntime(suite: RuntimeSuite): void {
  declareRuntimeSections(suite, [syncCases, changeCases, selectionCases, troubleCases, checkpointCases, crowdCases]);
}
