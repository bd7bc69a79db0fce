import { expect, it } from 'vitest';
import { httpServerConfig } from './http-server-options.ts';

const base = { handler: () => Promise.reject(new Error('unused')), tls: { cert: 'c', key: 'k' } };

it('fills in what was not said', () => {
  expect(httpServerConfig(base)).toMatchObject({
    host: '127.0.0.1',
    port: 0,
    maxReadsInFlight: 400,
    drainTimeoutMs: 60_000,
  });
  expect(httpServerConfig({ ...base, requestTimeoutMs: 5000 })).toMatchObject({ drainTimeoutMs: 5000 });
  expect(httpServerConfig({ ...base, port: undefined, maxWatches: 0 })).toMatchObject({ port: 0, maxWatches: 0 });
});

it.each([
  [{ port: 65_536 }, 'port must be a whole number from 0 to 65535, not 65536'],
  [{ insecurePort: -1 }, 'insecurePort must be'],
  [{ requestTimeoutMs: 0 }, 'requestTimeoutMs must be a whole number from 1'],
  [{ maxBodyBytes: 1.5 }, 'maxBodyBytes must be'],
  [{ maxConcurrentStreams: Number.NaN }, 'maxConcurrentStreams must be'],
])('refuses %j', (options, message) => {
  expect(() => httpServerConfig({ ...base, ...options })).toThrow(message);
});

it('needs no certificate, but takes no half of one', () => {
  expect(httpServerConfig({ handler: base.handler })).toMatchObject({ tls: undefined });
  expect(() => httpServerConfig({ ...base, tls: { cert: '', key: 'k' } })).toThrow(TypeError);
});
