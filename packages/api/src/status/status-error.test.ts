import { describe, expect, test } from 'vitest';
import { type Failure, failureStatus } from './status.ts';
import { failure, StatusError } from './status-error.ts';

const expiredFailure: Failure = { code: 410, reason: 'Expired', message: 'too old' };

test('the error says what its Status says', () => {
  const error = failure(expiredFailure);
  expect(error).toBeInstanceOf(Error);
  expect(error).toMatchObject({
    name: 'StatusError',
    code: 'STATUS',
    message: 'too old',
    reason: 'Expired',
    httpCode: 410,
    status: failureStatus(expiredFailure),
    retryAfterMs: undefined,
  });
});

test('a Status that says nothing makes an error that says nothing', () => {
  expect(new StatusError({ kind: 'Status', apiVersion: 'v1' })).toMatchObject({ message: '', reason: '', httpCode: 0 });
});

test('the cause is kept', () => {
  const cause = new Error('socket');
  expect(new StatusError(failureStatus(expiredFailure), { cause }).cause).toBe(cause);
});

const details = (retryAfterSeconds: number, reason = 'Timeout'): Failure => ({
  code: 504,
  reason,
  message: '',
  details: { retryAfterSeconds },
});

describe('how long to wait', () => {
  test.each<[string, StatusError, number | undefined]>([
    ['as the Status says', failure(details(3)), 3000],
    ['the Status does not say', failure(details(0)), undefined],
    ['no details', failure(expiredFailure), undefined],
    ['a server timeout may be tried again at once', failure(details(0, 'ServerTimeout')), 0],
    [
      'as the answer says, whatever the Status says',
      new StatusError(failureStatus(details(3)), { retryAfterMs: 7000 }),
      7000,
    ],
  ])('%s', (_name, error, wait) => {
    expect(error.retryAfterMs).toBe(wait);
  });
});
