import { describe, expect, it } from 'vitest';
import { banner, readyLine } from './ready-message.ts';
import { resolveSettings } from './serve-settings.ts';

describe('the line of a server that is ready', () => {
  it('has the address, the kubeconfig as seen from here, and the next command', () => {
    expect(
      readyLine({ url: 'https://127.0.0.1:6443', kubeconfig: '/home/a/.listwatch/kubeconfig', folder: '/home/a' }),
    ).toBe('Ready at https://127.0.0.1:6443. Try: KUBECONFIG=.listwatch/kubeconfig kubectl get namespaces');
  });

  it.each([
    ['/data/kubeconfig', 'KUBECONFIG=/data/kubeconfig '],
    ['/home/a/my data/kubeconfig', "KUBECONFIG='my data/kubeconfig' "],
    ["/it's/kubeconfig", String.raw`KUBECONFIG='/it'\''s/kubeconfig' `],
  ])('is right for a shell with the kubeconfig %s', (kubeconfig, expected) => {
    expect(readyLine({ url: 'https://a', kubeconfig, folder: '/home/a' })).toContain(expected);
  });
});

describe('the banner', () => {
  it.each([
    [{}, 'listwatch 1.0.0 lmdb in ./.listwatch'],
    [{ storage: 'memory', history: '90m' }, 'listwatch 1.0.0 memory, history 1h30m'],
    [{ etcdServers: 'http://a:1' }, 'listwatch 1.0.0 etcd at http://a:1'],
  ])('says where objects are kept with %j', (flags, expected) => {
    expect(banner('1.0.0', resolveSettings({ flags, env: {} }).settings, (_style, text) => text)).toBe(expected);
  });
});
