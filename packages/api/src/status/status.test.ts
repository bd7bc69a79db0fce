import { describe, expect, test } from 'vitest';
import { failureStatus, isStatus, successStatus } from './status.ts';

test('a failure is written with its members in the order of the wire', () => {
  const status = failureStatus({
    code: 409,
    reason: 'Conflict',
    message: 'no',
    details: { retryAfterSeconds: 2, causes: [{ reason: 'r' }], uid: 'u', kind: 'pods', group: 'g', name: 'n' },
    metadata: { continue: 'c' },
  });
  expect(JSON.stringify(status)).toBe(
    '{"kind":"Status","apiVersion":"v1","metadata":{"continue":"c"},"status":"Failure","message":"no","reason":"Conflict","details":{"name":"n","group":"g","kind":"pods","uid":"u","causes":[{"reason":"r"}],"retryAfterSeconds":2},"code":409}',
  );
});

test('what is empty is left out, details that are given stay', () => {
  expect(JSON.stringify(failureStatus({ code: 500, reason: '', message: 'x' }))).toBe(
    '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"x","code":500}',
  );
  expect(
    failureStatus({
      code: 504,
      reason: 'Timeout',
      message: 'x',
      details: { name: '', causes: [], retryAfterSeconds: 0 },
    }).details,
  ).toEqual({});
});

test('a success has details and no code', () => {
  expect(JSON.stringify(successStatus({ name: 'a', group: '', kind: 'configmaps', uid: 'u' }))).toBe(
    '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success","details":{"name":"a","kind":"configmaps","uid":"u"}}',
  );
});

describe('telling a Status from other JSON', () => {
  const base = { kind: 'Status', apiVersion: 'v1' };

  test.each<[unknown, boolean]>([
    [base, true],
    [
      { ...base, metadata: {}, status: 'Failure', message: 'm', reason: 'r', details: { causes: [{}] }, code: 500 },
      true,
    ],
    [{ kind: 'Status' }, false],
    [{ kind: 'Pod', apiVersion: 'v1' }, false],
    [{ ...base, message: 5 }, false],
    [{ ...base, reason: null }, false],
    [{ ...base, code: '410' }, false],
    [{ ...base, details: 'x' }, false],
    [{ ...base, details: { causes: 'x' } }, false],
    [{ ...base, details: { causes: [null] } }, false],
    [{ ...base, details: { retryAfterSeconds: '1' } }, false],
    [[base], false],
    [null, false],
    ['Status', false],
  ])('%j: %s', (value, answer) => {
    expect(isStatus(value)).toBe(answer);
  });
});

test('long texts are cut: a client may have sent megabytes of them', () => {
  const { message, details } = failureStatus({
    code: 400,
    reason: 'BadRequest',
    message: 'm'.repeat(3_000_000),
    details: { name: 'n'.repeat(3_000_000) },
  });
  expect(message).toBe(`${'m'.repeat(131_072)}...`);
  expect(details?.name).toBe(`${'n'.repeat(1024)}...`);
});
