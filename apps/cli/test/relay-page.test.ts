import { needs } from '@listwatch/conformance/parts';
import { listenForHealth, type RelayHealth } from '@listwatch/relay';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN, RelayWorld } from '../../../packages/relay/test/relay-world.fixture.ts';
import { openBrowser, type PageOpener } from '../../console/test/open-page.ts';

const PATH = '/api/v1/namespaces/default/configmaps';

describe('the page of a relay', needs('Chromium'), () => {
  let world: RelayWorld;
  let health: RelayHealth;
  let browser: PageOpener;

  beforeAll(async () => {
    [world, browser] = await Promise.all([RelayWorld.start({ kinds: ['configmaps', 'secrets'] }), openBrowser()]);
    health = await listenForHealth(world.relay, { host: '127.0.0.1', port: 0 });
    for (const name of ['a', 'b']) await world.write(name);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await health?.close();
    await world?.[Symbol.asyncDispose]();
  });

  it('shows kinds, feeds, what was answered here and passed, and who reads', async () => {
    for (let at = 0; at < 3; at += 1) await world.ask(ADMIN, PATH, { 'user-agent': 'dashboard/1.0' });
    await world.ask(ADMIN, PATH, { 'user-agent': '<img src=x>' });
    await world.ask(ADMIN, `${PATH}?resourceVersion=0`, { accept: 'application/yaml' });
    await using tab = await browser.open(`${health.url}/`);
    const { page } = tab;
    const line = page.getByRole('status');
    await line.getByText('all kinds live').waitFor();
    expect(await line.innerText()).toContain('80.0 % of 5 reads answered here');
    const row = async (text: string): Promise<readonly string[]> =>
      page.getByRole('row').filter({ hasText: text }).first().getByRole('cell').allInnerTexts();
    const [kind, feed, , version, objects, watches, answered] = await row('configmaps');
    const { resourceVersion } = world.relay.state.kinds[0] ?? {};
    expect([kind, feed, objects, watches, answered]).toEqual(['configmaps', 'live', '2', '0', '4']);
    expect(Number(version)).toBeGreaterThan(0);
    expect(Number(version)).toBeLessThanOrEqual(Number(resourceVersion));
    expect(await row('dashboard')).toEqual(['dashboard', '3']);
    expect(await row('unknown')).toEqual(['unknown', '1']);
    expect(await row('form')).toEqual(['form', '1']);
    expect(await tab.violations()).toEqual([]);
    expect(tab.foreign).toEqual([]);
    tab.expectNoComplaints();
  }, 60_000);

  it('says when the API server is away, and when the relay is', async () => {
    await using tab = await browser.open(`${health.url}/`);
    const { page } = tab;
    await page.getByRole('status').getByText('all kinds live').waitFor();
    await world.stopUpstream();
    await page.getByRole('status').getByText('2 of 2 kinds not live').waitFor();
    expect(await page.locator('tr[data-state=away]').count()).toBe(2);
    await health.close();
    await page.getByRole('status').getByText('The relay does not answer').waitFor();
  }, 60_000);
});
