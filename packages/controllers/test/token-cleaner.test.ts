import { FakeClock } from '@listwatch/api/fake-clock';
import { startTestServer, type TestEnvironment } from '@listwatch/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { secrets } from '../src/core-resources.ts';

let env: TestEnvironment<FakeClock> | undefined;
afterEach(() => env?.close());

const NOW = Date.parse('2026-01-01T00:00:00Z');
const HOUR = 3_600_000;

async function start(): Promise<TestEnvironment<FakeClock>> {
  env = await startTestServer({ clock: new FakeClock({ now: NOW }), controllers: ['tokencleaner'] });
  return env;
}

const base64 = (text: string) => Buffer.from(text).toString('base64');

async function token(
  { cluster }: TestEnvironment,
  name: string,
  expiration: string | undefined,
  more: { readonly namespace?: string; readonly type?: string } = {},
): Promise<void> {
  const { namespace = 'kube-system', type = 'bootstrap.kubernetes.io/token' } = more;
  const data = {
    'token-id': base64('abcdef'),
    ...(expiration === undefined ? {} : { expiration: base64(expiration) }),
  };
  await cluster.create(secrets, { metadata: { namespace, name }, type, data });
}

async function names({ cluster }: TestEnvironment): Promise<readonly string[]> {
  return (await cluster.list(secrets)).items.map(({ metadata }) => metadata.name);
}

describe('a bootstrap token', () => {
  it('is deleted when its expiration has passed, and not before', async () => {
    const started = await start();
    await token(started, 'soon', '2026-01-01T01:00:00Z');
    await token(started, 'later', '2026-01-02T01:00:00+01:00');
    await started.clock.advance(HOUR - 1000);
    expect(await names(started)).toEqual(['later', 'soon']);
    await started.clock.advance(1000);
    await vi.waitFor(async () => expect(await names(started)).toEqual(['later']), 20_000);
    await started.clock.advance(23 * HOUR);
    await vi.waitFor(async () => expect(await names(started)).toEqual([]), 20_000);
  });

  it('with an expiration that cannot be read is deleted at once', async () => {
    const started = await start();
    await token(started, 'odd', 'tomorrow');
    await vi.waitFor(async () => expect(await names(started)).toEqual([]), 20_000);
  });

  it('without an expiration stays, and so do other secrets and those of other namespaces', async () => {
    const started = await start();
    await token(started, 'forever', undefined);
    await token(started, 'other-type', '2025-01-01T00:00:00Z', { type: 'Opaque' });
    await token(started, 'other-namespace', '2025-01-01T00:00:00Z', { namespace: 'default' });
    await token(started, 'expired', '2025-01-01T00:00:00Z');
    await vi.waitFor(async () => expect(await names(started)).not.toContain('expired'), 20_000);
    expect((await names(started)).toSorted()).toEqual(['forever', 'other-namespace', 'other-type']);
  });

  it('that is given more time is not deleted at the old one', async () => {
    const started = await start();
    await token(started, 'a', '2026-01-01T00:10:00Z');
    const body = { data: { expiration: base64('2026-01-01T02:00:00Z') } };
    await started.cluster.patch(secrets, { namespace: 'kube-system', name: 'a' }, { type: 'merge', body });
    await started.clock.advance(HOUR);
    expect(await names(started)).toEqual(['a']);
  });
});
