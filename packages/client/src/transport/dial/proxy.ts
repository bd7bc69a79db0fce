/** The way to a server through a proxy: HTTP CONNECT, plain or over TLS, and SOCKS5. */

import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { readUntil } from '../exchange/read-until.ts';
import { type ConnectAttempt, type DialTarget, endpointOf, ready } from './connect-attempt.ts';
import { connectThroughSocks } from './socks5.ts';
import { tlsConnectOptions } from './tls-settings.ts';

/** Proxies whose URLs are understood. */
export const PROXY_PROTOCOLS: ReadonlySet<string> = new Set(['http:', 'https:', 'socks5:', 'socks5h:']);
const SOCKS_PORT = 1080;

/** A socket to `target`; the proxy forwards what goes over it. */
export async function connectThroughProxy(proxy: URL, target: DialTarget, attempt: ConnectAttempt): Promise<Socket> {
  const { host, port } = endpointOf(proxy);
  if (proxy.protocol.startsWith('socks5')) {
    const socket = attempt.add(connectTcp({ host, port: proxy.port === '' ? SOCKS_PORT : port }));
    await ready(socket, 'connect');
    return connectThroughSocks(socket, proxy, target);
  }
  const socket =
    proxy.protocol === 'https:'
      ? await ready(attempt.add(connectTls({ host, port, ...tlsConnectOptions({}, host) })), 'secureConnect')
      : await ready(attempt.add(connectTcp({ host, port })), 'connect');
  return connectTunnel(socket, proxy, target);
}

const HEAD_END = '\r\n\r\n';
const HEAD_LIMIT = 64 * 1024;

async function connectTunnel(socket: Socket, proxy: URL, { host, port }: DialTarget): Promise<Socket> {
  const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const credentials = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  const basic = Buffer.from(credentials).toString('base64');
  const authorization = proxy.username === '' ? '' : `Proxy-Authorization: Basic ${basic}\r\n`;
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${authorization}\r\n`);
  const head = await readUntil(socket, (bytes) => {
    const end = bytes.indexOf(HEAD_END);
    if (end < 0 && bytes.length > HEAD_LIMIT) throw new Error(`the proxy ${proxy.host} does not end its answer`);
    return end < 0 ? undefined : end + HEAD_END.length;
  });
  const line = head.toString('latin1').split('\r\n', 1)[0] ?? '';
  if (!/^HTTP\/1\.[01] 2\d\d\b/u.test(line)) throw new Error(`the proxy ${proxy.host} refused ${authority}: ${line}`);
  return socket;
}
