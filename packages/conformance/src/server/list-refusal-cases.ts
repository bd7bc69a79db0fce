/** LIST: what is refused, with which words, and what is looked at first. */

import { expect } from 'vitest';
import type { QueryValues } from './api-client.ts';
import type { ServerCase, ServerSection } from './server-suite.ts';

/** Refused by the rules of ListOptions. */
interface ForbiddenList {
  readonly what: string;
  readonly query: QueryValues;
  readonly field: string;
  readonly message: string;
}

const MATCH = 'resourceVersionMatch';

const forbidden: readonly ForbiddenList[] = [
  {
    what: 'a match without a version',
    query: { [MATCH]: 'Exact' },
    field: MATCH,
    message: `Forbidden: ${MATCH} is forbidden unless resourceVersion is provided`,
  },
  {
    what: 'a match with a continue token',
    query: { [MATCH]: 'NotOlderThan', resourceVersion: 5, continue: 'x' },
    field: MATCH,
    message: `Forbidden: ${MATCH} is forbidden when continue is provided`,
  },
  {
    what: 'a match that is none',
    query: { [MATCH]: 'Newest', resourceVersion: 5 },
    field: MATCH,
    message: 'Unsupported value: "Newest": supported values: "Exact", "NotOlderThan", ""',
  },
  {
    what: 'Exact at version 0',
    query: { [MATCH]: 'Exact', resourceVersion: 0 },
    field: MATCH,
    message: `Forbidden: ${MATCH} "exact" is forbidden for resourceVersion "0"`,
  },
  {
    what: 'initial events',
    query: { sendInitialEvents: true },
    field: 'sendInitialEvents',
    message: 'Forbidden: sendInitialEvents is forbidden for list',
  },
];

const forbiddenCases: readonly ServerCase[] = forbidden.map(({ what, query, field, message }) => ({
  title: `a list with ${what} is 422 and names the field`,
  run: async (test) => {
    const answer = await test.client.get(test.secrets, query);
    expect(answer.status).toBe(422);
    expect(answer.document).toMatchObject({
      kind: 'Status',
      status: 'Failure',
      reason: 'Invalid',
      message: `ListOptions.meta.k8s.io "" is invalid: ${field}: ${message}`,
      details: { group: 'meta.k8s.io', kind: 'ListOptions', causes: [{ field, message }] },
    });
  },
}));

/** Refused while the parameters are read, or later by the storage; all 400. */
const unreadable: readonly (readonly [what: string, query: QueryValues, message: RegExp])[] = [
  ['a limit that is no number', { limit: 'many' }, /strconv\.ParseInt: parsing "many": invalid syntax/u],
  ['a label selector that is none', { labelSelector: 'a=b=c' }, /found '=', expected/u],
  ['a field selector that is none', { fieldSelector: 'nonsense' }, /invalid selector: 'nonsense'/u],
  [
    'a field that the kind does not have',
    { fieldSelector: 'spec.nodeName=a' },
    /field label not supported: spec\.nodeName/u,
  ],
  ['a version that is none', { resourceVersion: 'abc' }, /^invalid resource version: /u],
  ['a negative version', { resourceVersion: -1 }, /^invalid resource version: /u],
];

const unreadableCases: readonly ServerCase[] = unreadable.map(([what, query, message]) => ({
  title: `a list with ${what} is 400`,
  run: async (test) => {
    const answer = await test.client.get(test.secrets, query);
    expect([answer.status, answer.document.reason]).toEqual([400, 'BadRequest']);
    expect(answer.document.message).toMatch(message);
  },
}));

export const listRefusalCases: ServerSection = {
  title: 'LIST refusals',
  cases: [
    ...forbiddenCases,
    ...unreadableCases,
    {
      title: 'what can be answered is looked at before what can be read, then the rules, then the fields',
      run: async (test) => {
        const status = async (query: QueryValues, accept = 'application/json'): Promise<number> =>
          (await test.client.get(test.secrets, query, { headers: { accept } })).status;
        const unknownField = { fieldSelector: 'spec.nope=1' };
        const brokenRule = { ...unknownField, resourceVersionMatch: 'Exact' };
        const unreadableLimit = { ...brokenRule, limit: 'many' };
        expect(await status(unreadableLimit, 'text/html')).toBe(406);
        expect(await status(unreadableLimit)).toBe(400);
        expect(await status(brokenRule)).toBe(422);
        expect(await status(unknownField)).toBe(400);
      },
    },
  ],
};
