import { describe, expect, test } from 'vitest';
import { isStatusError } from '../status/status-guards.ts';
import { decodeListOptions, type ListOptionsConfig } from './list-options-rules.ts';

const FORBIDDEN = {
  unlessVersion: 'Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
  withContinue: 'Forbidden: resourceVersionMatch is forbidden when continue is provided',
  exactAtAny: 'Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
  initialForList: 'Forbidden: sendInitialEvents is forbidden for list',
  needsNotOlder: 'Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
  unlessInitial: 'Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
  gate: 'Forbidden: sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled',
} as const;
const INITIAL: ReadonlySet<string> = new Set([FORBIDDEN.initialForList, FORBIDDEN.gate]);

const forList = (match: string): string =>
  `Unsupported value: "${match}": supported values: "Exact", "NotOlderThan", ""`;
const forWatch = (match: string): string => `Unsupported value: "${match}": supported values: "NotOlderThan"`;

/** The Status that answers a query; nothing when it is fine. */
function refusal(query: string, config?: ListOptionsConfig): unknown {
  try {
    decodeListOptions(query, config);
    return undefined;
  } catch (error) {
    if (isStatusError(error)) return error.status;
    throw error;
  }
}

const fieldOf = (message: string): string => (INITIAL.has(message) ? 'sendInitialEvents' : 'resourceVersionMatch');

function expected(causes: readonly string[]): unknown {
  if (causes.length === 0) return undefined;
  const texts = causes.map((message) => `${fieldOf(message)}: ${message}`);
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `ListOptions.meta.k8s.io "" is invalid: ${texts.length > 1 ? `[${texts.join(', ')}]` : texts[0]}`,
    reason: 'Invalid',
    details: {
      group: 'meta.k8s.io',
      kind: 'ListOptions',
      causes: causes.map((message) => ({
        reason: message.startsWith('Forbidden') ? 'FieldValueForbidden' : 'FieldValueNotSupported',
        message,
        field: fieldOf(message),
      })),
    },
    code: 422,
  };
}

/** Every combination of the given texts; `undefined` leaves a parameter out. */
function queries(params: Readonly<Record<string, readonly (string | undefined)[]>>): Record<string, string>[] {
  let all: Record<string, string>[] = [{}];
  for (const [name, values] of Object.entries(params)) {
    all = all.flatMap((query) => values.map((value) => (value === undefined ? query : { ...query, [name]: value })));
  }
  return all;
}

const MATRIX = {
  resourceVersion: [undefined, '', '0', '5', 'abc'],
  resourceVersionMatch: [undefined, '', 'Exact', 'NotOlderThan', 'Bogus'],
  continue: [undefined, '', 'x'],
  sendInitialEvents: [undefined, 'true', 'false'],
};

describe('which options of a LIST do not go together', () => {
  test.each(queries({ watch: [undefined, 'false'], ...MATRIX }))('%j', (query) => {
    const { resourceVersion = '', resourceVersionMatch: match = '', sendInitialEvents } = query;
    const causes: string[] = [];
    if (match !== '' && resourceVersion === '') causes.push(FORBIDDEN.unlessVersion);
    if (match !== '' && query['continue']) causes.push(FORBIDDEN.withContinue);
    if (match === 'Bogus') causes.push(forList(match));
    if (match === 'Exact' && resourceVersion === '0') causes.push(FORBIDDEN.exactAtAny);
    if (sendInitialEvents !== undefined) causes.push(FORBIDDEN.initialForList);
    expect(refusal(new URLSearchParams(query).toString())).toEqual(expected(causes));
  });
});

describe('which options of a WATCH do not go together', () => {
  test.each(queries({ watch: ['true'], ...MATRIX }))('%j', (query) => {
    const { resourceVersion = '', resourceVersionMatch = '', sendInitialEvents } = query;
    const isDefaulted =
      sendInitialEvents === undefined && resourceVersionMatch === '' && ['', '0'].includes(resourceVersion);
    const match = isDefaulted ? 'NotOlderThan' : resourceVersionMatch;
    const isInitialSaid = isDefaulted || sendInitialEvents !== undefined;
    const causes: string[] = [];
    if (isInitialSaid && match !== 'NotOlderThan') causes.push(FORBIDDEN.needsNotOlder);
    if (match !== '' && !isInitialSaid) causes.push(FORBIDDEN.unlessInitial);
    if (match === 'Exact' || match === 'Bogus') causes.push(forWatch(match));
    if (match !== '' && query['continue']) causes.push(FORBIDDEN.withContinue);
    expect(refusal(new URLSearchParams(query).toString())).toEqual(expected(causes));
  });
});

describe('known answers', () => {
  test.each<[string, string[]]>([
    ['resourceVersionMatch=Exact', [FORBIDDEN.unlessVersion]],
    ['resourceVersionMatch=Bogus', [FORBIDDEN.unlessVersion, forList('Bogus')]],
    ['resourceVersionMatch=Exact&resourceVersion=0', [FORBIDDEN.exactAtAny]],
    ['resourceVersionMatch=Exact&resourceVersion=00', []],
    ['resourceVersionMatch=Exact&resourceVersion=5&continue=zzz', [FORBIDDEN.withContinue]],
    // A /watch/ path without the parameter is held to the rules of LIST.
    ['sendInitialEvents=true&resourceVersionMatch=NotOlderThan', [FORBIDDEN.unlessVersion, FORBIDDEN.initialForList]],
    ['watch=1&sendInitialEvents=true', [FORBIDDEN.needsNotOlder]],
    ['watch=1&sendInitialEvents=false&resourceVersionMatch=Exact', [FORBIDDEN.needsNotOlder, forWatch('Exact')]],
    ['watch=1&resourceVersionMatch=Exact', [FORBIDDEN.unlessInitial, forWatch('Exact')]],
    ['watch=1&continue=x', [FORBIDDEN.withContinue]],
    ['watch=1&continue=x&resourceVersion=5', []],
    ['watch=1&limit=1&resourceVersion=5', []],
  ])('%s', (query, causes) => {
    expect(refusal(query)).toEqual(expected(causes));
  });
});

describe('the start of a watch that says nothing about it', () => {
  test.each(['watch=1', 'watch=1&resourceVersion=', 'watch=1&resourceVersion=0'])(
    '%s begins with the current objects',
    (query) => {
      expect(decodeListOptions(query)).toMatchObject({ sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' });
    },
  );

  test.each(['watch=1&resourceVersion=5', 'watch=1&resourceVersion=00', 'watch=0', ''])('%s does not', (query) => {
    expect(decodeListOptions(query)).toMatchObject({ sendInitialEvents: undefined, resourceVersionMatch: '' });
  });
});

describe('a server that sends no initial events', () => {
  const config = { watchList: false };

  test('does not begin with them by default', () => {
    expect(decodeListOptions('watch=1', config).sendInitialEvents).toBeUndefined();
  });

  test('refuses to begin with them on request', () => {
    expect(refusal('watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan', config)).toEqual(
      expected([FORBIDDEN.gate]),
    );
    expect(refusal('watch=1&sendInitialEvents=true', config)).toEqual(
      expected([FORBIDDEN.needsNotOlder, FORBIDDEN.gate]),
    );
  });
});

test('options that cannot be read are reported before options that do not go together', () => {
  expect(refusal('resourceVersionMatch=Exact&limit=x')).toMatchObject({ code: 400 });
});
