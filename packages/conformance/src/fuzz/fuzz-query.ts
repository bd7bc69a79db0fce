/** Queries for the fuzzer: every parameter, with right and wrong values. */

import fc from 'fast-check';
import { anyText, mostly } from './mostly.ts';

const VERSIONS = [
  '',
  '0',
  '00',
  '1',
  '5',
  '20',
  '40',
  '-1',
  'abc',
  '1.5',
  '18446744073709551615',
  '99999999999999999999',
];
const TOKENS = [
  { v: 'meta.k8s.io/v1', rv: 10, start: 'a\0' },
  { v: 'meta.k8s.io/v1', rv: -1, start: 'fuzz-0/a\0' },
  { v: 'meta.k8s.io/v1', rv: 10, start: '../x' },
  { v: 'v9', rv: 0, start: '' },
].map((token) => Buffer.from(JSON.stringify(token)).toString('base64url'));
const SELECTORS = [
  'app=web',
  'a',
  '!a',
  'a in (b,c)',
  'a notin ()',
  'a>1',
  'a=b=c',
  ',',
  'a,,b',
  'x y',
  '(',
  'a>x',
  '\0',
];
const FIELDS = [
  'metadata.name=a',
  'metadata.name!=a',
  'status.phase=Active',
  'spec.nodeName=',
  'type=Opaque',
  'nonsense',
  'a\\=b=c',
  '=',
];
const INTEGERS = ['0', '1', '2', '500', '-1', '+1', '1e3', 'x', '9223372036854775808', ''];
const BOOLEANS = ['', '0', '1', 'true', 'false', 'TRUE', 'x'];

/** Parameters and what is tried for them. Versions from the future make a server wait: they are rare. */
const PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  watch: BOOLEANS,
  allowWatchBookmarks: BOOLEANS,
  sendInitialEvents: BOOLEANS,
  labelSelector: SELECTORS,
  fieldSelector: FIELDS,
  resourceVersion: VERSIONS.filter((version) => version.length < 19),
  resourceVersionMatch: ['', 'Exact', 'NotOlderThan', 'exact', 'x'],
  limit: INTEGERS,
  continue: [...TOKENS, '', 'x', '%%%', '0'],
  timeoutSeconds: INTEGERS,
  timeout: ['1s', '0s', '1h', '-1s', 'x', '1', '1.5s', ''],
  pretty: BOOLEANS,
  includeObject: ['', 'None', 'Metadata', 'Object', 'x'],
  dryRun: ['All', '', 'all', 'None', 'x'],
  fieldManager: ['me', '', 'x'.repeat(129), '\u0001'],
  fieldValidation: ['Strict', 'Warn', 'Ignore', '', 'x'],
  force: BOOLEANS,
  propagationPolicy: ['Foreground', 'Background', 'Orphan', '', 'x'],
  gracePeriodSeconds: INTEGERS,
  orphanDependents: BOOLEANS,
  export: BOOLEANS,
  shardSelector: ['x'],
};

const parameter = mostly(
  fc.constantFrom(...Object.entries(PARAMETERS)).chain(([key, values]) =>
    fc.tuple(
      fc.constant(key),
      mostly(
        fc.constantFrom(...values).map((value) => encodeURIComponent(value)),
        anyText(20),
      ),
    ),
  ),
  fc.tuple(anyText(10), anyText(10)),
  20,
).map(([key, value]) => `${key}=${value}`);
const farAhead = fc.constantFrom(...VERSIONS).map((version) => `resourceVersion=${version}`);
/** A query with its question mark, or nothing. */
export const fuzzQuery: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { arbitrary: parameter, weight: 400 },
      { arbitrary: fc.constantFrom('%zz', '%', '&', '=', 'a=%', 'watch', ';'), weight: 8 },
      { arbitrary: farAhead, weight: 1 },
    ),
    { maxLength: 3 },
  )
  .map((parts) => (parts.length === 0 ? '' : `?${parts.join('&')}`));
