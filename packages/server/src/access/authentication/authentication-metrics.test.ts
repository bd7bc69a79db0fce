import { createHash } from 'node:crypto';
import { FakeClock } from '@listwatch/api/fake-clock';
import { expect, it } from 'vitest';
import { Registry } from '../../contract/metrics.ts';
import { VerificationTimes } from '../jwt/verification-times.ts';
import { ReloadCounts } from '../reload-counts.ts';
import { registerTokenMetrics } from './authentication-metrics.ts';
import { certificateAuthenticator } from './certificate-authenticator.ts';
import { CertificateLifetimes } from './certificate-lifetimes.ts';

const hash = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;
const labels = (result: string): string => `result="${result}",jwt_issuer_hash="${hash('https://a')}"`;

async function shown(register: (registry: Registry) => void, names: RegExp): Promise<readonly string[]> {
  const registry = new Registry();
  register(registry);
  return (await registry.metrics()).split('\n').filter((line) => names.test(line));
}

it('tokens of providers and of the webhook are counted together, times by issuer and result', async () => {
  const verifications = new VerificationTimes();
  verifications.observe('https://a', 'success', 0.02);
  verifications.observe('https://a', 'success', 0.3);
  verifications.observe('https://a', 'failure', 20);
  const jwt = { cacheCounts: { hits: 4, misses: 3, size: 1 }, fetches: { success: 1, failure: 0 }, verifications };
  const webhook = { counts: { hits: 1, misses: 2, size: 1, fetches: 9, answered: 5, failed: 1, active: 2 } };
  const lines = await shown(
    (registry) => registerTokenMetrics(registry, { jwt, webhook }),
    /^authentication_token_cache|latency_seconds.*(?:le="0.025"|\+Inf)|latency_seconds_count/u,
  );
  const times = 'apiserver_authentication_jwt_authenticator_latency_seconds';
  expect(lines.toSorted()).toEqual(
    [
      'authentication_token_cache_request_total{status="hit"} 5',
      'authentication_token_cache_request_total{status="miss"} 5',
      'authentication_token_cache_fetch_total{status="ok"} 7',
      'authentication_token_cache_fetch_total{status="error"} 2',
      'authentication_token_cache_active_fetch_count{status="in_flight"} 2',
      `${times}_bucket{le="0.025",${labels('success')}} 1`,
      `${times}_bucket{le="+Inf",${labels('success')}} 2`,
      `${times}_count{${labels('success')}} 2`,
      `${times}_bucket{le="0.025",${labels('failure')}} 0`,
      `${times}_bucket{le="+Inf",${labels('failure')}} 1`,
      `${times}_count{${labels('failure')}} 1`,
    ].toSorted(),
  );
});

it('changes of the configuration are counted under the name of the file', async () => {
  const reloadCounts = new ReloadCounts('me', new FakeClock({ now: 1000 }));
  reloadCounts.using('text');
  reloadCounts.count('failure');
  const jwt = { cacheCounts: { hits: 0, misses: 0, size: 0 }, fetches: { success: 0, failure: 0 }, reloadCounts };
  const lines = await shown(
    (registry) => registerTokenMetrics(registry, { jwt, webhook: undefined }),
    /^apiserver_authentication_config/u,
  );
  expect(lines).toEqual([
    `apiserver_authentication_config_controller_automatic_reloads_total{status="failure",apiserver_id_hash="${hash('me')}"} 1`,
    `apiserver_authentication_config_controller_automatic_reload_last_timestamp_seconds{status="failure",apiserver_id_hash="${hash('me')}"} 1`,
    `apiserver_authentication_config_controller_last_config_info{apiserver_id_hash="${hash('me')}",hash="${hash('text')}"} 1`,
  ]);
});

it('every certificate is counted by how long it lasts, also one that nobody signed', async () => {
  const clock = new FakeClock();
  const lifetimes = new CertificateLifetimes(clock);
  const authenticator = certificateAuthenticator({ onCertificate: (expires) => lifetimes.observe(expires) });
  const certificate = { commonName: 'bob', organizations: [], trusted: true };
  await authenticator.authenticate({ certificate: { ...certificate, expires: clock.now() + 3_600_000 } });
  expect(() =>
    authenticator.authenticate({ certificate: { ...certificate, trusted: false, expires: clock.now() - 1000 } }),
  ).toThrow('cannot be verified');
  const name = 'apiserver_client_certificate_expiration_seconds';
  expect(await shown((registry) => lifetimes.register(registry), /le="(?:0|1800|3600)"|_sum|_count/u)).toEqual([
    `${name}_bucket{le="0"} 1`,
    `${name}_bucket{le="1800"} 1`,
    `${name}_bucket{le="3600"} 2`,
    `${name}_sum 3599`,
    `${name}_count 2`,
  ]);
});
