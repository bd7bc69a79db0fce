import { describe, expect, test } from 'vitest';
import type { StatusCause } from './status.ts';
import { failure, type StatusError } from './status-error.ts';
import * as guards from './status-guards.ts';

type GuardName = Exclude<keyof typeof guards, 'findStatusError' | 'hasCause'>;

/** Each reason with the code it comes with and the guards that know it. */
const REASONS: [reason: string, code: number, guards: GuardName[]][] = [
  ['AlreadyExists', 409, ['isAlreadyExists']],
  ['BadRequest', 400, ['isBadRequest']],
  ['Conflict', 409, ['isConflict']],
  ['Expired', 410, ['isExpired', 'isGone']],
  ['Forbidden', 403, ['isForbidden']],
  ['Gone', 410, ['isGone']],
  ['InternalError', 500, ['isInternalError']],
  ['Invalid', 422, ['isInvalid']],
  ['MethodNotAllowed', 405, ['isMethodNotAllowed']],
  ['NotAcceptable', 406, ['isNotAcceptable']],
  ['NotFound', 404, ['isNotFound']],
  ['RequestEntityTooLarge', 413, ['isRequestEntityTooLarge']],
  ['ServerTimeout', 500, ['isServerTimeout']],
  ['ServiceUnavailable', 503, ['isServiceUnavailable']],
  ['StorageReadError', 500, []],
  ['Timeout', 504, ['isTimeout']],
  ['TooManyRequests', 429, ['isTooManyRequests']],
  ['Unauthorized', 401, ['isUnauthorized']],
  ['UnsupportedMediaType', 415, ['isUnsupportedMediaType']],
];

const GUARDS = { ...guards };
const ALL = [...new Set(REASONS.flatMap(([, , names]) => names))];
const answering = (error: unknown): string[] => ALL.filter((name) => GUARDS[name](error));

describe('a reason is known by its own guards and by no other', () => {
  test.each(REASONS)('%s', (reason, code, names) => {
    expect(answering(failure({ code, reason, message: '' }))).toEqual(names);
  });
});

describe('without a known reason the code decides', () => {
  test.each([
    [400, ['isBadRequest']],
    [401, ['isUnauthorized']],
    [403, ['isForbidden']],
    [404, ['isNotFound']],
    [405, ['isMethodNotAllowed']],
    [406, ['isNotAcceptable']],
    [409, ['isConflict']],
    [410, ['isGone']],
    [413, ['isRequestEntityTooLarge']],
    [415, ['isUnsupportedMediaType']],
    [422, ['isInvalid']],
    [429, ['isTooManyRequests']],
    [500, ['isInternalError']],
    [503, ['isServiceUnavailable']],
    [504, ['isTimeout']],
    [418, []],
  ])('%i', (code, names) => {
    expect(answering(failure({ code, reason: '', message: '' }))).toEqual(names);
    expect(answering(failure({ code, reason: 'Novelty', message: '' }))).toEqual(names);
  });

  test('a known reason wins over a code that contradicts it', () => {
    expect(answering(failure({ code: 404, reason: 'Conflict', message: '' }))).toEqual(['isConflict']);
  });

  test('429 means too many requests whatever the reason', () => {
    expect(guards.isTooManyRequests(failure({ code: 429, reason: 'Timeout', message: '' }))).toBe(true);
  });
});

describe('identity is the code, not the class', () => {
  test('an error from another copy of the package is recognised', () => {
    const foreign = Object.assign(new Error('x'), {
      code: 'STATUS',
      status: { kind: 'Status', apiVersion: 'v1', reason: 'Conflict', code: 409 },
    });
    expect(guards.isStatusError(foreign)).toBe(true);
    expect(guards.isConflict(foreign)).toBe(true);
  });

  test.each<[unknown]>([
    [undefined],
    [null],
    ['STATUS'],
    [new Error('410')],
    [{ code: 'STATUS' }],
    [{ code: 'OTHER', status: { reason: 'Conflict' } }],
    [{ status: { reason: 'Conflict', code: 409 } }],
  ])('%j is no StatusError', (value) => {
    expect(guards.isStatusError(value)).toBe(false);
    expect(answering(value)).toEqual([]);
  });
});

const timeoutWith = (reason: string, message: string, causes: readonly StatusCause[]): StatusError =>
  failure({ code: 504, reason, message, details: { causes } });

describe('a resource version that the server has not reached', () => {
  test.each<[string, StatusError, boolean]>([
    ['is told by its cause', timeoutWith('Timeout', '', [{ reason: 'ResourceVersionTooLarge' }]), true],
    [
      'is told by the message of its cause, by old servers',
      timeoutWith('Timeout', '', [{ message: 'Too large resource version' }]),
      true,
    ],
    [
      'is told by the message, by older servers',
      timeoutWith('Timeout', 'Timeout: Too large resource version: 5, current: 4', []),
      true,
    ],
    ['is no other timeout', timeoutWith('Timeout', 'Timeout: slow', []), false],
    [
      'is no other failure with such a message',
      failure({ code: 400, reason: 'BadRequest', message: 'Too large resource version' }),
      false,
    ],
  ])('%s', (_name, error, answer) => {
    expect(guards.isTooLargeResourceVersion(error)).toBe(answer);
  });
});

test('an answer that was none of the API is known by its cause', () => {
  const error = failure({
    code: 502,
    reason: '',
    message: '',
    details: { causes: [{ reason: 'UnexpectedServerResponse' }] },
  });
  expect(guards.isUnexpectedResponse(error)).toBe(true);
  expect(guards.hasCause(error, 'FieldManagerConflict')).toBe(false);
});

describe('looking for a StatusError among causes', () => {
  const inner = failure({ code: 410, reason: 'Gone', message: '' });

  test('the outermost one is found', () => {
    const outer = new Error('watch failed', { cause: new Error('stream', { cause: inner }) });
    expect(guards.findStatusError(outer)).toBe(inner);
    expect(guards.findStatusError(inner)).toBe(inner);
  });

  test('none is found where there is none, even in a circle', () => {
    const circle = new Error('a');
    circle.cause = new Error('b', { cause: circle });
    expect(guards.findStatusError(circle)).toBeUndefined();
    expect(guards.findStatusError('text')).toBeUndefined();
  });
});
