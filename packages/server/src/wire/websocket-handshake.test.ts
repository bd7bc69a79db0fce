import { expect, it } from 'vitest';
import { websocketToken } from '../access/websocket-token.ts';
import { checkHandshake, isWebsocketRequest } from './websocket-handshake.ts';

const good = { 'sec-websocket-key': 'k', 'sec-websocket-version': '13', origin: 'http://a' };
const check = (headers: Readonly<Record<string, string | undefined>>, method = 'GET') =>
  checkHandshake({ method, header: (name) => headers[name] });
const token = (text: string) => `base64url.bearer.authorization.k8s.io.${Buffer.from(text).toString('base64url')}`;

it.each([
  [{}, { type: 'accepted', subprotocol: undefined }],
  [{ 'sec-websocket-protocol': 'anything' }, { type: 'accepted', subprotocol: 'anything' }],
  [{ 'sec-websocket-protocol': `${token('t')}, x` }, { type: 'accepted', subprotocol: 'x' }],
  [{ 'sec-websocket-protocol': 'a, b' }, { type: 'refused', status: 400 }],
  [{ 'sec-websocket-version': '8' }, { type: 'refused', status: 400 }],
  [{ 'sec-websocket-key': undefined }, { type: 'refused', status: 400 }],
  [{ origin: undefined }, { type: 'refused', status: 403 }],
  [{ origin: 'http://[' }, { type: 'refused', status: 403 }],
  [{ origin: 'null' }, { type: 'accepted' }],
])('%j', (headers, outcome) => {
  expect(check({ ...good, ...headers })).toMatchObject(outcome);
});

it('only GET can become a WebSocket', () => {
  expect(check(good, 'POST')).toMatchObject({ status: 405 });
});

it('reads the token among the subprotocols', () => {
  expect(websocketToken(`${token('secret')}, x`)).toBe('secret');
  expect(websocketToken('x')).toBeUndefined();
  expect(websocketToken(undefined)).toBeUndefined();
});

it.each([token('t'), `${token('a')}, ${token('b')}, x`, 'base64url.bearer.authorization.k8s.io.%%%, x'])(
  'refuses the token of %s',
  (header) => {
    expect(() => websocketToken(header)).toThrow('Unauthorized');
  },
);

it.each([
  ['websocket', 'Upgrade', true],
  ['WebSocket', 'keep-alive, upgrade', true],
  ['h2c', 'Upgrade', false],
  ['websocket', 'keep-alive', false],
  [undefined, undefined, false],
])('upgrade %s with connection %s: %s', (upgrade, connection, asked) => {
  const headers: Readonly<Record<string, string | undefined>> = { upgrade, connection };
  expect(isWebsocketRequest({ header: (name) => headers[name] })).toBe(asked);
});
