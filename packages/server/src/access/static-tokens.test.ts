import { expect, it } from 'vitest';
import { parseTokenFile } from './static-tokens.ts';

it('reads a user, a uid and groups', () => {
  const users = parseTokenFile(
    't1,admin,1,"system:masters"\r\nt2,"paul ""p""",2,"dev, ops"\n\nt3,ann,3\nt4,bob,4,ops\n',
  );
  expect([...users]).toEqual([
    ['t1', { name: 'admin', uid: '1', groups: ['system:masters'] }],
    ['t2', { name: 'paul "p"', uid: '2', groups: ['dev', 'ops'] }],
    ['t3', { name: 'ann', uid: '3', groups: [] }],
    ['t4', { name: 'bob', uid: '4', groups: ['ops'] }],
  ]);
});

it('skips a line without a token, and lets the later of two win', () => {
  expect(parseTokenFile(',x,1\nt,old,1\nt,new,2').get('t')?.name).toBe('new');
  expect(parseTokenFile(',x,1').size).toBe(0);
});

it.each([
  ['t,admin', 'line 1: needs at least token, user and uid'],
  ['t,a,1\nt,,2', 'line 2: needs at least token, user and uid'],
  ['t,a,1,"open', 'line 1: a quoted field does not end'],
])('refuses %j', (csv, message) => {
  expect(() => parseTokenFile(csv)).toThrow(message);
});
