import { expect, it } from 'vitest';
import { connectionProblem } from './webhook-words.ts';

function refused(address: string): Error {
  return Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', address });
}

it.each<[string, Error, string]>([
  ['the name, when nothing else is known', Object.assign(new Error('x'), { code: 'ECONNREFUSED' }), 'a.b.svc'],
  ['the address behind a name', refused('10.0.0.1'), '10.0.0.1'],
  [
    'that of IPv4 when several were tried',
    Object.assign(new AggregateError([refused('::1'), refused('127.0.0.1')]), { code: 'ECONNREFUSED' }),
    '127.0.0.1',
  ],
  ['one of IPv6 in brackets', refused('::1'), '[::1]'],
])('a refused connection names %s', (_, error, address) => {
  expect(connectionProblem(error, 'a.b.svc', 443)).toBe(`dial tcp ${address}:443: connect: connection refused`);
});
