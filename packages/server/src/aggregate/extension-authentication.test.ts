import { FakeClock } from '@listwatch/api/fake-clock';
import { TestAuthority } from '@listwatch/conformance/parts';
import { createMemoryEngine } from '@listwatch/storage';
import { expect, it, vi } from 'vitest';
import { InProcessServer } from '../start/in-process-server.fixture.ts';
import { mergedBundle } from './extension-authentication.ts';

const PATH = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication';
const MINUTE_MS = 60_000;
/** Longer than the certificates of a TestAuthority are valid. */
const YEAR_MS = 365 * 24 * 60 * MINUTE_MS;
const FILE = 'requestheader-client-ca-file';
const WAIT = { timeout: 20_000, interval: 20 };

using first = new TestAuthority('front-proxy-ca');
using second = new TestAuthority('front-proxy-ca');
const FIRST = `${first.ca.trim()}\n`;
const SECOND = `${second.ca.trim()}\n`;

it('names the authorities of all servers of a store, and is put right when somebody changes or deletes it', async () => {
  // By the machine's time, which the certificates have.
  const clock = new FakeClock({ now: Date.now() });
  const engine = createMemoryEngine({ clock });
  const started = (proxyClientCa: string): Promise<InProcessServer> =>
    InProcessServer.start({ engine, clock, aggregation: { proxyClientCa } });
  await using one = await started(FIRST);
  await using other = await started(SECOND);
  const data = async (): Promise<Readonly<Record<string, string>>> => (await other.ask('GET', PATH)).body.data ?? {};
  expect((await data())[FILE]).toBe(FIRST + SECOND);
  // A backend that trusted the second server alone would refuse the first.
  const changed = { [FILE]: SECOND, 'requestheader-username-headers': '[]', own: 'kept' };
  await one.ok('PATCH', PATH, { data: changed }, { type: 'application/merge-patch+json' });
  await vi.waitFor(async () => {
    await clock.advance(MINUTE_MS);
    const { [FILE]: bundle = '', ...others } = await data();
    expect(bundle).toBe(SECOND + FIRST);
    expect(others).toMatchObject({ 'requestheader-username-headers': '["X-Remote-User"]', own: 'kept' });
  }, WAIT);
  await one.ok('DELETE', PATH);
  await vi.waitFor(async () => {
    await clock.advance(MINUTE_MS);
    expect((await data())[FILE]?.split('BEGIN CERTIFICATE')).toHaveLength(3);
  }, WAIT);
});

it('has each authority once, and none that has expired or is no certificate', () => {
  const rubbish = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----';
  const bundles = [`${FIRST}${rubbish}\n`, FIRST.replaceAll('\n', '\r\n') + SECOND];
  expect(mergedBundle(bundles, Date.now())).toBe(FIRST + SECOND);
  expect(mergedBundle(bundles, Date.now() + YEAR_MS)).toBe('');
});
