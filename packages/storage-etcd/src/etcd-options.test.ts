import { describe, expect, it } from 'vitest';
import { type EtcdEngineOptions, resolveEtcdOptions } from './etcd-options.ts';

const endpoints = ['http://127.0.0.1:2379'];

describe('options', () => {
  it('default to what the documentation says', () => {
    expect(resolveEtcdOptions({ endpoints })).toMatchObject({
      endpoints: [{ url: 'http://127.0.0.1:2379', target: '127.0.0.1:2379', secure: false }],
      root: '',
      compaction: 'coordinated',
      historyAgeMs: 300_000,
      progressRequests: true,
      leaseMaxKeys: 1000,
      keepAliveIntervalMs: 10_000,
      keepAliveTimeoutMs: 5000,
      requestTimeoutMs: 10_000,
    });
  });

  it.each([
    ['http://etcd', 'http://etcd:80', false],
    ['https://etcd', 'https://etcd:443', true],
    ['https://etcd:443', 'https://etcd:443', true],
    ['https://etcd:2379/', 'https://etcd:2379', true],
    ['http://[::1]:2379', 'http://[::1]:2379', false],
  ])('has the port of its protocol where %s names none', (endpoint, url, secure) => {
    const { endpoints: resolved } = resolveEtcdOptions({ endpoints: [endpoint] });
    expect(resolved).toEqual([{ url, target: url.replace(/^https?:\/\//u, ''), secure }]);
  });

  it('are frozen once resolved', () => {
    const config = resolveEtcdOptions({ endpoints });
    expect(Object.isFrozen(config)).toBe(true);
    expect(Object.isFrozen(config.endpoints)).toBe(true);
  });

  it.each<[string, Partial<EtcdEngineOptions>, RegExp]>([
    ['no endpoint', { endpoints: [] }, /endpoints.*\[\]/],
    ['an endpoint without protocol', { endpoints: ['127.0.0.1:2379'] }, /127\.0\.0\.1:2379/],
    ['an endpoint of another protocol', { endpoints: ['ftp://h:1'] }, /ftp/],
    ['an endpoint with a path', { endpoints: ['http://h:1/etcd'] }, /etcd/],
    ['http mixed with https', { endpoints: ['http://a:1', 'https://b:1'] }, /all http or all https/],
    ['history.bytes, which etcd cannot honour', { history: { bytes: 1 } }, /history\.bytes.*got 1/],
    ['a certificate without its key', { tls: { cert: 'x' } }, /only cert/],
    ['a user without a name', { auth: { username: '', password: 'x' } }, /username/],
    ['a lease for no key', { leaseMaxKeys: 0 }, /leaseMaxKeys.*got 0/],
    ['a timeout of nothing', { requestTimeout: 0 }, /requestTimeout.*got 0/],
    ['a ping less often than timers can wait', { keepAlive: { interval: '25d' } }, /keepAlive\.interval.*24 days.*25d/],
    ['a root with NUL', { root: 'a\0b' }, /NUL/],
  ])('%s is refused', (_, options, message) => {
    expect(() => resolveEtcdOptions({ endpoints, ...options })).toThrow(message);
  });
});
