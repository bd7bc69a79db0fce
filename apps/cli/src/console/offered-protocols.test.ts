import { expect, it } from 'vitest';
import { offeredAccept, offeredKey } from './offered-protocols.ts';

const encoded = (text: string): string => Buffer.from(text).toString('base64url');
const accept = (text: string): string => `base64url.accept.listwatch.${encoded(text)}`;
const key = (text: string): string => `base64url.bearer.authorization.k8s.io.${encoded(text)}`;

it.each([
  [undefined, 'application/json'],
  ['', 'application/json'],
  ['watch.listwatch', 'application/json'],
  [accept('application/json;as=Table;g=meta.k8s.io;v=v1'), 'application/json;as=Table;g=meta.k8s.io;v=v1'],
  [`watch.listwatch,${accept('a/b')}`, 'a/b'],
  [`watch.listwatch ,\t${accept('a/b')} , other`, 'a/b'],
  [`${accept('a/b')}, ${accept('c/d')}`, 'a/b'],
  [accept('x'.repeat(512)), 'x'.repeat(512)],
])('the subprotocols %j offer the Accept %j', (protocols, value) => {
  expect(offeredAccept(protocols)).toBe(value);
});

it.each([
  ['a second header', accept('a/b\r\nset-cookie: x=y')],
  ['a NUL', accept('a/b\0')],
  ['no ASCII', accept('ä/b')],
  ['no text', `base64url.accept.listwatch.${Buffer.from([0xff, 0xfe]).toString('base64url')}`],
  ['nothing', 'base64url.accept.listwatch.'],
  ['too much', accept('x'.repeat(513))],
])('refuses an Accept that is %s', (_, protocols) => {
  expect(offeredAccept(protocols)).toBeUndefined();
});

it.each([
  [undefined, undefined],
  ['watch.listwatch', undefined],
  [accept('a/b'), undefined],
  [`${key('secret')}, ${accept('a/b')}, watch.listwatch`, 'secret'],
  [key(''), ''],
])('the subprotocols %j offer the key %j', (protocols, value) => {
  expect(offeredKey(protocols)).toBe(value);
});
