import { isBadRequest } from '@listwatch/api';
import { expect, it } from 'vitest';
import { parseRoute } from './parse-route.ts';
import { requestTimeoutMs } from './request-deadline.ts';

const timeout = (method: string, query: string, path = '/api/v1/nodes') =>
  requestTimeoutMs(parseRoute(method, { path, query }), 60_000);

it.each([
  ['GET', '', 60_000],
  ['GET', 'timeout=5s', 5000],
  ['GET', 'timeout=0s', 60_000],
  ['GET', 'timeout=-5s', 60_000],
  ['GET', 'timeout=2h', 60_000],
  ['GET', 'timeout=', 60_000],
  ['POST', '', 34_000],
  ['POST', 'timeout=50s', 34_000],
  ['DELETE', '', 60_000],
  ['GET', 'watch=1&timeout=5s', 60_000],
  ['GET', 'watch=1&timeout=5', 60_000],
])('%s ?%s has %s ms', (method, query, ms) => {
  expect(timeout(method, query)).toBe(ms);
});

it('a timeout that is none is a bad request, with the words of Kubernetes', () => {
  try {
    timeout('GET', 'timeout=5');
    expect.unreachable();
  } catch (error) {
    expect(isBadRequest(error)).toBe(true);
    expect(error).toMatchObject({
      message: 'invalid timeout specified in the request URL - time: missing unit in duration "5"',
    });
  }
});
