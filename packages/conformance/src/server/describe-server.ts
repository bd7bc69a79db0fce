/** The suite that every API server runs, ours and kube-apiserver itself. */

import { accessCases } from './access-cases.ts';
import { bookmarkCases } from './bookmark-cases.ts';
import { deleteCases } from './delete-cases.ts';
import { discoveryCases } from './discovery-cases.ts';
import { eventCases } from './event-cases.ts';
import { getCases } from './get-cases.ts';
import { listCases } from './list-cases.ts';
import { listRefusalCases } from './list-refusal-cases.ts';
import { negotiationCases } from './negotiation-cases.ts';
import { pageCases } from './page-cases.ts';
import { declareServerSections, type ServerSuite } from './server-suite.ts';
import { watchEventCases } from './watch-event-cases.ts';
import { watchScopeCases } from './watch-scope-cases.ts';
import { watchStartCases } from './watch-start-cases.ts';
import { writeCases } from './write-cases.ts';

/** Declares the contract's tests for one server. Call it at the top of a test file. */
export function describeServer(suite: ServerSuite): void {
  declareServerSections(suite, [
    getCases,
    listCases,
    listRefusalCases,
    pageCases,
    watchStartCases,
    watchScopeCases,
    watchEventCases,
    bookmarkCases,
    negotiationCases,
    writeCases,
    deleteCases,
    eventCases,
    discoveryCases,
    accessCases,
  ]);
}
