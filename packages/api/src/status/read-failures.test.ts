import { describe, expect, test } from 'vitest';
import { parseResourceVersion, ResourceVersionError } from '../versions/resource-version.ts';
import * as failures from './read-failures.ts';
import type { Status } from './status.ts';
import type { StatusError } from './status-error.ts';

function badVersion(text: string): ResourceVersionError {
  try {
    parseResourceVersion(text);
  } catch (error) {
    if (error instanceof ResourceVersionError) return error;
  }
  throw new Error(`${text} is a version`);
}

const abc = 'resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax';

describe('the failures of reading, as Kubernetes words them', () => {
  test.each<[StatusError, Partial<Status>]>([
    [failures.expiredWatch(5n, 813n), { code: 410, reason: 'Expired', message: 'too old resource version: 5 (812)' }],
    [
      failures.compactedWatch(),
      { code: 410, reason: 'Expired', message: 'The resourceVersion for the provided watch is too old.' },
    ],
    [
      failures.expiredList(),
      { code: 410, reason: 'Expired', message: 'The resourceVersion for the provided list is too old.' },
    ],
    [
      failures.expiredContinue(),
      {
        code: 410,
        reason: 'Expired',
        message:
          'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter.',
      },
    ],
    [
      failures.expiredContinue('fresh'),
      {
        code: 410,
        reason: 'Expired',
        metadata: { continue: 'fresh' },
        message:
          'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
      },
    ],
    [
      failures.tooLargeResourceVersion(999n, 812n),
      {
        code: 504,
        reason: 'Timeout',
        message: 'Timeout: Too large resource version: 999, current: 812',
        details: {
          causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
          retryAfterSeconds: 1,
        },
      },
    ],
    [
      failures.tooLargeResourceVersion(2n, 1n, 0),
      {
        code: 504,
        reason: 'Timeout',
        message: 'Timeout: Too large resource version: 2, current: 1',
        details: { causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }] },
      },
    ],
    [
      failures.cacheInitializing(0),
      {
        code: 429,
        reason: 'TooManyRequests',
        message: 'storage is (re)initializing',
        details: { retryAfterSeconds: 1 },
      },
    ],
    [
      failures.cacheInitializing(30, 'no etcd'),
      {
        code: 429,
        reason: 'TooManyRequests',
        message: 'storage is (re)initializing: no etcd',
        details: { retryAfterSeconds: 6 },
      },
    ],
    [
      failures.cacheStopped(1e9),
      {
        code: 429,
        reason: 'TooManyRequests',
        message: 'apiserver cacher is stopped',
        details: { retryAfterSeconds: 30 },
      },
    ],
    [
      failures.requestTimeout(),
      {
        code: 504,
        reason: 'Timeout',
        message: 'Timeout: request did not complete within the allotted timeout',
        details: {},
      },
    ],
    [
      failures.badListVersion(badVersion('abc')),
      { code: 400, reason: 'BadRequest', message: `invalid resource version: ${abc}` },
    ],
    [failures.badReadVersion(badVersion('abc')), { code: 500, message: abc }],
    [
      failures.versionWithContinue(),
      { code: 400, reason: 'BadRequest', message: 'specifying resource version is not allowed when using continue' },
    ],
    [
      failures.unsupportedField('spec.x'),
      { code: 400, reason: 'BadRequest', message: 'field label not supported: spec.x' },
    ],
    [
      failures.unknownField(' a"'),
      {
        code: 400,
        reason: 'BadRequest',
        message: '" a\\"" is not a known field selector: only "metadata.name", "metadata.namespace"',
      },
    ],
    [
      failures.nameSelectorMismatch(),
      { code: 400, reason: 'BadRequest', message: "fieldSelector metadata.name doesn't match requested name" },
    ],
  ])('%s', (error, status) => {
    expect(error.status).toEqual({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', ...status });
  });
});
