import { describe, expect, test } from 'vitest';
import { parseFieldSelector } from '../selectors/field-selector.ts';
import { parseLabelSelector } from '../selectors/label-selector.ts';
import { parseListOptions, printListOptions } from './list-options.ts';

const UNSAID = {
  watch: false,
  allowWatchBookmarks: false,
  sendInitialEvents: undefined,
  resourceVersion: '',
  resourceVersionMatch: '',
  limit: 0,
  continue: '',
  timeoutSeconds: undefined,
  listwatchProgress: false,
};

describe('reading options', () => {
  test('nothing is said by an empty query', () => {
    const { labelSelector, fieldSelector, ...rest } = parseListOptions('');
    expect(rest).toEqual(UNSAID);
    expect(labelSelector.isEmpty).toBe(true);
    expect(fieldSelector.isEmpty).toBe(true);
  });

  test.each([
    ['watch', { watch: true }],
    ['watch=', { watch: true }],
    ['watch=0', { watch: false }],
    ['watch=False', { watch: false }],
    ['watch=no', { watch: true }],
    ['allowWatchBookmarks=true', { allowWatchBookmarks: true }],
    ['sendInitialEvents', { sendInitialEvents: true }],
    ['sendInitialEvents=false', { sendInitialEvents: false }],
    ['resourceVersion=abc', { resourceVersion: 'abc' }],
    ['resourceVersionMatch=Bogus', { resourceVersionMatch: 'Bogus' }],
    ['limit=500', { limit: 500 }],
    ['limit=-1', { limit: -1 }],
    ['limit=%2B7', { limit: 7 }],
    ['continue=zzz', { continue: 'zzz' }],
    ['timeoutSeconds=0', { timeoutSeconds: 0 }],
    ['listwatchProgress=true', { listwatchProgress: true }],
    ['timeoutSeconds=-1', { timeoutSeconds: -1 }],
    ['unknown=1', {}],
    ['limit=1&limit=x&watch=0&watch=1', { limit: 1, watch: false }],
    ['limit=9223372036854775807', { limit: Number.MAX_SAFE_INTEGER }],
    ['timeoutSeconds=-9223372036854775808', { timeoutSeconds: Number.MIN_SAFE_INTEGER }],
  ])('%s', (query, said) => {
    expect(parseListOptions(query)).toMatchObject({ ...UNSAID, ...said });
  });

  test('selectors are compiled', () => {
    const options = parseListOptions('labelSelector=app%3Dweb&fieldSelector=metadata.name%3Dx');
    expect(options.labelSelector.matches({ app: 'web' })).toBe(true);
    expect(options.fieldSelector.name).toBe('x');
  });
});

describe('an option that cannot be read is a bad request with the text of Kubernetes', () => {
  test.each([
    ['limit=', 'strconv.ParseInt: parsing "": invalid syntax'],
    ['limit=x', 'strconv.ParseInt: parsing "x": invalid syntax'],
    ['limit=1.5', 'strconv.ParseInt: parsing "1.5": invalid syntax'],
    ['limit=9223372036854775808', 'strconv.ParseInt: parsing "9223372036854775808": value out of range'],
    ['timeoutSeconds=x', 'strconv.ParseInt: parsing "x": invalid syntax'],
    ['timeoutSeconds=1.5', 'strconv.ParseInt: parsing "1.5": invalid syntax'],
    ['labelSelector=%3Dweb', "found '=', expected: !, identifier, or 'end of string'"],
    ['fieldSelector=metadata.name', "invalid selector: 'metadata.name'; can't understand 'metadata.name'"],
    // Of several the first that Kubernetes reads is reported.
    ['limit=y&timeoutSeconds=x&labelSelector=,&fieldSelector=z', 'strconv.ParseInt: parsing "x": invalid syntax'],
    ['limit=y&labelSelector=,&fieldSelector=z', 'strconv.ParseInt: parsing "y": invalid syntax'],
    ['fieldSelector=z&labelSelector=,', "found ',', expected: !, identifier, or 'end of string'"],
  ])('%s', (query, message) => {
    expect(() => parseListOptions(query)).toThrow(
      expect.objectContaining({
        code: 'STATUS',
        status: {
          kind: 'Status',
          apiVersion: 'v1',
          metadata: {},
          status: 'Failure',
          message,
          reason: 'BadRequest',
          code: 400,
        },
      }),
    );
  });
});

test('the cause of a bad request says where the selector went wrong', () => {
  expect(() => parseListOptions('labelSelector=app%3Dweb+x')).toThrow(
    expect.objectContaining({ cause: expect.objectContaining({ code: 'SELECTOR', position: 8, found: 'x' }) }),
  );
});

describe('printing options', () => {
  test.each([
    [{}, ''],
    [{ watch: false, allowWatchBookmarks: false, limit: 0, resourceVersion: '', continue: '' }, ''],
    [
      { watch: true, resourceVersion: '5', allowWatchBookmarks: true },
      'watch=true&allowWatchBookmarks=true&resourceVersion=5',
    ],
    [
      { resourceVersion: '0', resourceVersionMatch: 'NotOlderThan' },
      'resourceVersion=0&resourceVersionMatch=NotOlderThan',
    ],
    [{ sendInitialEvents: false }, 'sendInitialEvents=false'],
    [{ timeoutSeconds: 0, limit: -1 }, 'limit=-1&timeoutSeconds=0'],
    [{ limit: 500, continue: 'a_b-c' }, 'limit=500&continue=a_b-c'],
    [{ labelSelector: 'app in (a,b)' }, 'labelSelector=app+in+%28a%2Cb%29'],
    [{ labelSelector: parseLabelSelector(' b , a=1') }, 'labelSelector=a%3D1%2Cb'],
    [{ fieldSelector: parseFieldSelector('a==b') }, 'fieldSelector=a%3Db'],
    [{ watch: undefined, limit: undefined }, ''],
  ] as const)('%j', (options, query) => {
    expect(printListOptions(options)).toBe(query);
  });

  test.each([1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])('a limit of %s is misuse', (limit) => {
    expect(() => printListOptions({ limit })).toThrow(new RangeError(`limit must be a whole number, not ${limit}`));
  });
});
