import { FakeClock } from '@listwatch/api/fake-clock';
import { describe, expect, it, vi } from 'vitest';
import { PROTOCOLS, REVOCATIONS, RevocationServer, type SeenWatch, type Watching } from './revocation.fixture.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const settled = (check: () => unknown): Promise<unknown> => vi.waitFor(check, { timeout: 20_000, interval: 5 });
/** Who has lost a credential is nobody (401); who has lost a right is refused (403). */
const CREDENTIAL = /^(?:the record of a token|a certificate|a bootstrap token|a service account|the Secret)/u;

interface Opened {
  readonly held: Watching;
  readonly watch: SeenWatch;
  /** Asks for the same watch again, and leaves it; the status. */
  readonly again: () => Promise<number>;
}

async function opened(server: RevocationServer, what: string): Promise<Opened> {
  const open = PROTOCOLS['HTTP/1.1'];
  const held = await REVOCATIONS[what]?.(server);
  if (open === undefined || held === undefined) throw new TypeError('there is no such way');
  const { query = '', ...shown } = held;
  const ask = (): Promise<SeenWatch> => open(server, `${MAPS}?watch=true&resourceVersion=0${query}`, shown);
  const watch = await ask();
  expect(watch.status).toBe(200);
  return {
    held,
    watch,
    again: async () => {
      const second = await ask();
      second.close();
      return second.status;
    },
  };
}

describe('an open watch, as in Kubernetes,', () => {
  it.each(Object.keys(REVOCATIONS))('goes on when %s; the next request is refused', async (what) => {
    await using server = new RevocationServer({ endWatchesOnRevocation: false });
    await server.inside.server.listen();
    const { held, watch, again } = await opened(server, what);
    await held.revoke();
    await settled(async () => expect(await again()).toBe(CREDENTIAL.test(what) ? 401 : 403));
    const name = /metadata\.name%3D(\w+)/u.exec(held.query ?? '')?.[1] ?? 'written-later';
    await server.inside.ok('POST', MAPS, { metadata: { name } });
    await settled(() => expect(watch.text()).toContain(`"name":"${name}"`));
    expect(watch.isEnded()).toBe(false);
    watch.close();
  });
});

describe('with endWatchesOnRevocation', () => {
  it.each([
    'a binding is deleted',
    'the record of a token is deleted',
    'a certificate is revoked',
    'a service account is deleted',
  ])('an open watch ends when %s while the clock stands still: no timer is waited for', async (what) => {
    const clock = new FakeClock({ now: Date.now() });
    await using server = new RevocationServer({ clock });
    await server.inside.server.listen();
    const { held, watch, again } = await opened(server, what);
    const before = clock.now();
    await held.revoke();
    await settled(() => expect(watch.isEnded()).toBe(true));
    expect(clock.now()).toBe(before);
    await settled(async () => expect(await again()).toBe(CREDENTIAL.test(what) ? 401 : 403));
  });
});
