/** The proxy that the environment names, by the rules that kubectl inherits from Go. */

import { isIP } from 'node:net';

type Environment = Readonly<Record<string, string | undefined>>;

/** `HTTPS_PROXY` or `HTTP_PROXY` by the scheme of the server, unless `NO_PROXY` has it. Names in lower case count too. */
export function environmentProxy(server: string, env: Environment): string | undefined {
  const url = new URL(server);
  const value = read(env, url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY');
  if (value === undefined || bypasses(url, read(env, 'NO_PROXY') ?? '')) return undefined;
  return value.includes('://') ? value : `http://${value}`;
}

function read(env: Environment, name: string): string | undefined {
  return env[name] || env[name.toLowerCase()] || undefined;
}

function bypasses(url: URL, noProxy: string): boolean {
  const host = url.hostname.replace(/^\[|\]$/gu, '').toLowerCase();
  if (host === 'localhost' || host.endsWith('.localhost') || host === '::1' || host.startsWith('127.')) return true;
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return noProxy
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .some((entry) => entry !== '' && matches(entry, host, port));
}

function matches(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  if (entry.includes('/')) return inNetwork(entry, host);
  const [, name = entry, wanted] = /^(.+):(\d+)$/u.exec(isIP(entry) === 6 ? '' : entry) ?? [];
  if (wanted !== undefined && wanted !== port) return false;
  if (host === name.replace(/^\[|\]$/gu, '')) return true;
  // `.example.com` is all below it; `example.com` is itself and all below it.
  return isIP(host) === 0 && host.endsWith(name.startsWith('.') ? name : `.${name}`);
}

/** IPv4 only: a network of IPv6 in NO_PROXY goes through the proxy, which is the safer mistake. */
function inNetwork(entry: string, host: string): boolean {
  const [base = '', bits = ''] = entry.split('/');
  if (isIP(base) !== 4 || isIP(host) !== 4) return false;
  const shift = 2 ** (32 - Number(bits));
  return Math.floor(numberOf(base) / shift) === Math.floor(numberOf(host) / shift);
}

function numberOf(address: string): number {
  return address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
}
