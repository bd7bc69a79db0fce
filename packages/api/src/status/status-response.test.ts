import { describe, expect, test } from 'vitest';
import { failureStatus } from './status.ts';
import { isGone, isUnexpectedResponse } from './status-guards.ts';
import { parseRetryAfter, statusErrorFromObject, statusErrorFromResponse } from './status-response.ts';

const gone = failureStatus({ code: 410, reason: 'Expired', message: 'too old' });

describe('an answer with a Status', () => {
  test('is that Status', () => {
    const error = statusErrorFromResponse({
      code: 410,
      body: `${JSON.stringify(gone, undefined, 2)}\n`,
      contentType: 'application/json',
    });
    expect(error.status).toEqual(gone);
    expect(isGone(error)).toBe(true);
    expect(isUnexpectedResponse(error)).toBe(false);
  });

  test('takes the code of the answer when it has none of its own', () => {
    const { code: _, ...rest } = gone;
    expect(statusErrorFromResponse({ code: 410, body: JSON.stringify(rest) }).httpCode).toBe(410);
  });

  test('waits as the header says, or else as the Status says', () => {
    const busy = JSON.stringify(
      failureStatus({ code: 429, reason: 'TooManyRequests', message: '', details: { retryAfterSeconds: 5 } }),
    );
    expect(statusErrorFromResponse({ code: 429, body: busy, retryAfter: '2' }).retryAfterMs).toBe(2000);
    expect(statusErrorFromResponse({ code: 429, body: busy, retryAfter: null }).retryAfterMs).toBe(5000);
  });
});

describe('an answer in another form', () => {
  test.each([
    ['text', { body: ' 404 page not found\n', contentType: 'text/plain; charset=utf-8' }, '404 page not found'],
    ['text without a type', { body: 'upstream connect error' }, 'upstream connect error'],
    ['JSON that is no Status', { body: '{"kind":"Pod"}', contentType: 'application/json' }, 'unknown'],
    ['broken JSON', { body: '{"kind":"Status"', contentType: 'application/json' }, 'unknown'],
    [
      'a Status of success',
      { body: '{"kind":"Status","apiVersion":"v1","status":"Success"}', contentType: 'application/json' },
      'unknown',
    ],
    ['a page', { body: '<html>', contentType: 'Text/HTML' }, '<html>'],
    ['nothing', { body: '', contentType: null }, ''],
  ])('%s is judged by its code and kept as a cause', (_name, answer, shown) => {
    const error = statusErrorFromResponse({ code: 502, ...answer });
    expect(error).toMatchObject({ reason: 'InternalError', httpCode: 502 });
    expect(error.status.details?.causes).toEqual([{ reason: 'UnexpectedServerResponse', message: shown }]);
  });

  test('only the beginning of a long body is shown', () => {
    const error = statusErrorFromResponse({ code: 502, body: 'x'.repeat(10_000) });
    expect(error.status.details?.causes?.[0]?.message).toHaveLength(2048);
  });

  test('what was asked is part of the message, the delay is kept', () => {
    const error = statusErrorFromResponse({
      code: 429,
      body: '',
      retryAfter: '3',
      method: 'GET',
      resource: { group: '', plural: 'pods' },
      name: 'x',
    });
    expect(error.message).toBe(
      'the server has received too many requests and has asked us to try again later (get pods x)',
    );
    expect(error.retryAfterMs).toBe(3000);
  });
});

describe('the object of an ERROR event', () => {
  test('is a Status', () => {
    expect(statusErrorFromObject(gone).status).toBe(gone);
  });

  test.each([
    [{ kind: 'Pod' }, '{"kind":"Pod"}'],
    [null, 'null'],
    [undefined, 'undefined'],
  ])('%j is an internal error that shows it', (object, shown) => {
    const error = statusErrorFromObject(object);
    expect(error).toMatchObject({ reason: 'InternalError', httpCode: 500 });
    expect(error.status.details?.causes?.[0]?.message).toBe(`unexpected object: ${shown}`);
  });
});

describe('Retry-After', () => {
  test.each([
    ['0', 0],
    ['17', 17],
    ['', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['1e3', undefined],
    ['Wed, 21 Oct 2026 07:28:00 GMT', undefined],
    [null, undefined],
    [undefined, undefined],
  ])('%j is %s seconds', (header, seconds) => {
    expect(parseRetryAfter(header)).toBe(seconds);
  });
});
