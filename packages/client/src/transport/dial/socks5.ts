/** SOCKS5 (RFC 1928, and 1929 for user and password): names are resolved by the proxy. */

import { isIPv4, type Socket } from 'node:net';
import { readUntil } from '../exchange/read-until.ts';
import type { DialTarget } from './connect-attempt.ts';

const VERSION = 5;
const NO_AUTH = 0;
const USER_PASSWORD = 2;
const CONNECT = 1;
const ADDRESS = Object.freeze({ ipv4: 1, name: 3, ipv6: 4 } as const);
const REFUSALS: readonly string[] = [
  '',
  'it failed',
  'its rules forbid it',
  'the network is unreachable',
  'the host is unreachable',
  'the connection was refused',
  'it took too long',
  'it cannot connect',
  'it does not know this kind of address',
];

/** Asks the proxy at the other end of `socket` for a way to `target`. */
export async function connectThroughSocks(socket: Socket, proxy: URL, target: DialTarget): Promise<Socket> {
  const methods = proxy.username === '' ? [NO_AUTH] : [NO_AUTH, USER_PASSWORD];
  socket.write(Buffer.from([VERSION, methods.length, ...methods]));
  const choice = (await readUntil(socket, (bytes) => (bytes.length < 2 ? undefined : 2)))[1];
  if (choice === USER_PASSWORD && proxy.username !== '') await logIn(socket, proxy);
  else if (choice !== NO_AUTH) throw new Error(`the proxy ${proxy.host} wants another way to log in`);
  socket.write(Buffer.from([VERSION, CONNECT, 0, ...addressOf(target), target.port >> 8, target.port & 0xff]));
  const [, refusal = 1] = await readUntil(socket, replyLength);
  if (refusal !== 0) throw new Error(`the proxy ${proxy.host} refused ${target.host}: ${REFUSALS[refusal] ?? refusal}`);
  return socket;
}

async function logIn(socket: Socket, proxy: URL): Promise<void> {
  const [user, password] = [proxy.username, proxy.password].map((text) => Buffer.from(decodeURIComponent(text)));
  if (user === undefined || password === undefined) return;
  socket.write(Buffer.from([1, user.length, ...user, password.length, ...password]));
  const [, refusal] = await readUntil(socket, (bytes) => (bytes.length < 2 ? undefined : 2));
  if (refusal !== 0) throw new Error(`the proxy ${proxy.host} does not know this user and password`);
}

function addressOf({ host }: DialTarget): readonly number[] {
  if (isIPv4(host)) return [ADDRESS.ipv4, ...host.split('.').map(Number)];
  const name = Buffer.from(host);
  return [ADDRESS.name, name.length, ...name];
}

/** The reply ends with an address of ours at the proxy, whose length depends on its kind. */
function replyLength(bytes: Buffer): number | undefined {
  const [, , , kind, first = 0] = bytes;
  if (bytes.length < 5) return undefined;
  const address = kind === ADDRESS.ipv4 ? 4 : kind === ADDRESS.ipv6 ? 16 : 1 + first;
  const length = 4 + address + 2;
  return bytes.length < length ? undefined : length;
}
