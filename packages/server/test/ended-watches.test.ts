import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { PROTOCOLS, REVOCATIONS, RevocationServer, type SeenWatch } from './revocation.fixture.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const WATCH = `${MAPS}?watch=true&resourceVersion=0`;
const settled = (check: () => unknown): Promise<unknown> => vi.waitFor(check, { timeout: 20_000, interval: 5 });

let server: RevocationServer;
let bystander: SeenWatch;

beforeAll(async () => {
  server = new RevocationServer();
  await server.inside.server.listen();
  const kept = await REVOCATIONS['a binding is deleted']?.(server);
  const open = PROTOCOLS['HTTP/2'];
  if (kept === undefined || open === undefined) throw new TypeError('there is no such way');
  bystander = await open(server, WATCH, kept);
});

afterAll(async () => {
  bystander.close();
  await server[Symbol.asyncDispose]();
});

const CASES = Object.entries(PROTOCOLS).flatMap(([protocol, open]) =>
  Object.entries(REVOCATIONS).map(([what, hold]) => ({ protocol, what, open, hold })),
);

describe('with endWatchesOnRevocation', () => {
  it.each(CASES)('a watch over $protocol ends when $what', async ({ open, hold }) => {
    const { revoke, query = '', ...shown } = await hold(server);
    const watch = await open(server, WATCH + query, shown);
    expect(watch.status).toBe(200);
    await revoke();
    await settled(() => expect(watch.isEnded()).toBe(true));
    // What is written later was not sent to it.
    expect((await open(server, WATCH + query, shown)).status).toBeOneOf([401, 403]);
  });

  it('the watches of others go on', async () => {
    expect(bystander.status).toBe(200);
    await server.inside.ok('POST', MAPS, { metadata: { name: 'written-last' } });
    await settled(() => expect(bystander.text()).toContain('written-last'));
    expect(bystander.isEnded()).toBe(false);
  });

  it('what was ended is counted', async () => {
    const { body } = await server.inside.ask('GET', '/metrics');
    const lines = String(body).split('\n');
    expect(lines).toContain(`listwatch_revocation_ended_total ${CASES.length}`);
    expect(lines).toContain('listwatch_revocation_waiting 0');
  });
});
