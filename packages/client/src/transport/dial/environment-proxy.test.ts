import { describe, expect, it } from 'vitest';
import { environmentProxy } from './environment-proxy.ts';

describe('the proxy of the environment', () => {
  const env = { HTTPS_PROXY: 'http://p:3128', http_proxy: 'q:80' };

  it('is chosen by the scheme, in capitals or not, and http where it does not say', () => {
    expect(environmentProxy('https://kube:6443', env)).toBe('http://p:3128');
    expect(environmentProxy('http://kube', env)).toBe('http://q:80');
    expect(environmentProxy('https://kube', {})).toBeUndefined();
  });

  it.each(['https://localhost:6443', 'https://127.0.0.1:6443', 'https://[::1]:6443'])(
    '%s is never proxied',
    (server) => {
      expect(environmentProxy(server, env)).toBeUndefined();
    },
  );

  it.each<[string, string, boolean]>([
    ['kube.test', 'https://kube.test', true],
    ['kube.test', 'https://a.kube.test', true],
    ['.kube.test', 'https://a.kube.test', true],
    ['.kube.test', 'https://kube.test', false],
    ['test', 'https://mytest', false],
    ['kube.test:6443', 'https://kube.test:6443', true],
    ['kube.test:6443', 'https://kube.test', false],
    ['other, 10.0.0.0/8', 'https://10.1.2.3:6443', true],
    ['10.0.0.0/8', 'https://11.1.2.3:6443', false],
    ['0.0.0.0/0', 'https://11.1.2.3:6443', true],
    ['10.1.2.3', 'https://10.1.2.3', true],
    ['*', 'https://anything', true],
  ])('NO_PROXY=%s for %s: passed by is %s', (noProxy, server, bypassed) => {
    expect(environmentProxy(server, { ...env, NO_PROXY: noProxy }) === undefined).toBe(bypassed);
  });
});
