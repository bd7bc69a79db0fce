import { expect, it } from 'vitest';
import { passFailure } from './pass-failure.ts';

const refused = (code: string) => Object.assign(new Error('connect'), { code });

it.each(['ECONNREFUSED', 'ENOTFOUND'])('a watch that was not sent because of %s is told to come again', (code) => {
  const { status } = passFailure(refused(code), true);
  expect([status.code, status.details?.retryAfterSeconds]).toEqual([504, 1]);
});

it('other requests, and watches that may have been sent, are told no time', () => {
  const failures = [passFailure(refused('ECONNREFUSED')), passFailure(refused('ETIMEDOUT'), true)];
  expect(failures.map(({ status }) => [status.code, status.details?.retryAfterSeconds])).toEqual([
    [504, undefined],
    [504, undefined],
  ]);
});
