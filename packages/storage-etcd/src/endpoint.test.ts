import { eventually } from '@listwatch/conformance/storage';
import { expect, it, vi } from 'vitest';
import { Endpoint } from './endpoint.ts';
import { resolveEtcdOptions } from './etcd-options.ts';
import { TlsSource } from './tls-source.ts';

it('a connection that failed is replaced after its pause, also when the clock was set back by an hour meanwhile', async () => {
  const config = resolveEtcdOptions({ endpoints: ['http://127.0.0.1:1'] });
  const [address] = config.endpoints;
  if (address === undefined) return expect.unreachable();
  const tls = new TlsSource({ read: () => ({}), onError: () => {} });
  const endpoint = new Endpoint(config, address, tls);
  const first = endpoint.connection;
  await expect(first.ready(5000)).rejects.toThrow();
  const back = Date.now() - 3_600_000;
  vi.spyOn(Date, 'now').mockImplementation(() => back);
  try {
    await eventually('another connection is tried', () => endpoint.connection !== first);
  } finally {
    vi.restoreAllMocks();
    endpoint.close();
  }
});
