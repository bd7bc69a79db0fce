/** The suite that every transport runs. */

import { answerCases } from './answer-cases.ts';
import { closingCases } from './closing-cases.ts';
import { endingCases } from './ending-cases.ts';
import { declareTransportSections, type TransportSuite } from './transport-suite.ts';

/** Declares the whole transport contract as vitest tests. Call it at the top of a test file. */
export function describeTransport(suite: TransportSuite): void {
  declareTransportSections(suite, [answerCases, endingCases, closingCases]);
}
