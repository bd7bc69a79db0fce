import { applyYaml, type Cluster, connect } from '@listwatch/client';
import { type KubeApiserverProcess, needs, startKubeApiserver } from '@listwatch/conformance/parts';
import { configMaps } from '@listwatch/kinds';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPage, isPageCurrent } from '../../console/build-page.mjs';
import { openBrowser, type PageOpener } from '../../console/test/open-page.ts';
import { OpenConsole } from '../src/console/open-console.fixture.ts';

describe('the console in front of a real kube-apiserver', needs('kube-apiserver'), () => {
  let real: KubeApiserverProcess;
  let cluster: Cluster;
  let opened: OpenConsole;
  let url: string;
  let browser: PageOpener;

  beforeAll(async () => {
    if (!isPageCurrent()) await buildPage();
    [real, browser] = await Promise.all([startKubeApiserver(), openBrowser()]);
    cluster = await connect({ kubeconfig: real.kubeconfig });
    opened = await OpenConsole.start(real.kubeconfig, { write: true });
    url = `${opened.browser.url}/console/`;
  }, 180_000);

  afterAll(async () => {
    await browser?.close();
    await opened?.[Symbol.asyncDispose]();
    await cluster?.close();
    await real?.stop();
  });

  it('browses kinds and rows live, and shows what it has seen when the cluster keeps no history', async () => {
    await using tab = await browser.open(opened.newLink());
    const { page } = tab;
    await page.getByText('readyz check passed').waitFor();
    await page.getByRole('link', { name: 'ConfigMap' }).first().click();
    await page.locator('[data-phase=live]').waitFor();
    const row = (name: string): ReturnType<typeof page.locator> =>
      page.locator('.grid-row', { has: page.getByRole('link', { name, exact: true }) });
    expect(await page.getByRole('columnheader').allInnerTexts()).toEqual(['Namespace', 'Name', 'Data', 'Age']);
    await cluster.create(configMaps, { metadata: { namespace: 'default', name: 'seen' }, data: { a: 'b' } });
    await row('seen').waitFor();
    const version = (await cluster.get(configMaps, { namespace: 'default', name: 'seen' })).metadata.resourceVersion;
    await cluster.delete(configMaps, { namespace: 'default', name: 'seen' });
    await row('seen').waitFor({ state: 'detached' });
    await page.goto(`${url}#/objects/core/v1/configmaps?at=${version}`);
    await row('seen').waitFor();
  });

  it('inspects a watch with initial events as a Table, and edits with a dry run', async () => {
    await applyYaml(
      cluster,
      '{ apiVersion: v1, kind: ConfigMap, metadata: { name: edited, namespace: default }, data: { a: one } }',
    );
    await using tab = await browser.open(
      `${opened.newLink()}#/watch/core/v1/configmaps?ns=default&initial=1&form=table`,
    );
    const { page } = tab;
    await page.getByRole('button', { name: 'Open' }).click();
    await page.locator('.frame-added', { hasText: 'default/edited' }).waitFor();
    await page.locator('.frame-bookmark', { hasText: 'end of the initial events' }).waitFor();
    await page.locator('[data-fact=State]', { hasText: 'watching' }).waitFor();
    await page.goto(`${url}#/object/core/v1/configmaps/default/edited`);
    await page.getByRole('button', { name: 'Edit' }).click();
    const editor = page.getByRole('textbox', { name: 'YAML' });
    await editor.fill((await editor.inputValue()).replace('a: one', 'a: two'));
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByText('+   a: two').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await cluster.get(configMaps, { namespace: 'default', name: 'edited' })).data).toEqual({ a: 'two' });
  });
});
