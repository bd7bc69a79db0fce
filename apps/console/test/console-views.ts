/** Every view and dialog of the page, for tests that look at each: how it is opened, and when it is complete. */

import type { Page } from 'playwright-core';
import type { ConsoleHost } from './console-host.ts';

export interface ConsoleView {
  readonly name: string;
  readonly fragment: string;
  /** What is there when the view is. */
  readonly ready: string;
  /** Goes on from there. */
  readonly goOn?: ((page: Page) => Promise<unknown>) | undefined;
  /** The part that is looked at. Default: `main`. */
  readonly part?: string | undefined;
}

const click = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).click();

/** Of the shop (shop.ts), with the logs of `shopLogs`. `past`: a version of it. */
export function consoleViews(past: string): readonly ConsoleView[] {
  const settings = '#/object/core/v1/configmaps/shop/settings';
  const web = '#/object/apps/v1/deployments/shop/web';
  return [
    { name: 'overview', fragment: '#/overview', ready: '.plot canvas', part: 'html' },
    { name: 'objects', fragment: '#/objects/core/v1/pods?ns=shop', ready: '.grid-row' },
    {
      name: 'columns',
      fragment: '#/objects/core/v1/pods?ns=shop',
      ready: '.grid-row',
      goOn: (page) => page.getByText('Columns', { exact: true }).click(),
    },
    { name: 'no objects', fragment: '#/objects/core/v1/services?ns=shop', ready: '.empty' },
    { name: 'refused', fragment: '#/objects/core/v1/pods?ns=shop&fields=nope%3D1', ready: '.banner' },
    { name: 'past', fragment: `#/objects/core/v1/configmaps?ns=shop&at=${past}`, ready: '.grid-row' },
    { name: 'object', fragment: web, ready: '.yaml-line' },
    {
      name: 'conditions',
      fragment: '#/object/core/v1/pods/shop/web-3',
      ready: '.yaml-line',
      goOn: (page) => page.locator('.conditions summary').click(),
    },
    { name: 'no object', fragment: '#/object/core/v1/pods/shop/nope', ready: '.empty' },
    { name: 'secret', fragment: '#/object/core/v1/secrets/shop/token', ready: '.yaml-line' },
    {
      name: 'logs',
      fragment: '#/object/core/v1/pods/shop/web-2?tab=logs&times=1&wrap=1&filter=e',
      ready: '.log-line mark',
      goOn: async (page) => {
        await page.locator('.log-box').hover();
        await page.mouse.wheel(0, -2000);
        await page.getByRole('button', { name: 'Go to the end' }).waitFor();
      },
    },
    { name: 'no logs', fragment: '#/object/core/v1/pods/shop/web-1?tab=logs', ready: '.log .empty' },
    { name: 'tree', fragment: `${web}?tab=tree`, ready: '.tree li' },
    { name: 'fields', fragment: `${settings}?tab=fields`, ready: '.manager' },
    { name: 'events', fragment: `${settings}?tab=events`, ready: 'tbody tr' },
    { name: 'versions', fragment: `${settings}?tab=versions`, ready: '.diff-added' },
    {
      name: 'watch',
      fragment: '#/watch/core/v1/configmaps?ns=shop&initial=1',
      ready: '.empty',
      goOn: async (page) => {
        await click('Open')(page);
        await page.locator('.frame-added').first().click();
        await page.getByLabel('Bytes of the frame').waitFor();
      },
    },
    {
      name: 'help',
      fragment: '#/objects/core/v1/pods?ns=shop',
      ready: '.grid-row',
      goOn: async (page) => {
        await page.keyboard.press('?');
        // Else the view is left before the dialog is there, which then covers the next one.
        await page.getByRole('dialog').waitFor();
      },
      part: 'dialog',
    },
    {
      name: 'edit',
      fragment: settings,
      ready: '.yaml-line',
      goOn: async (page) => {
        await click('Edit')(page);
        const editor = page.getByRole('textbox', { name: 'YAML' });
        await editor.fill((await editor.inputValue()).replace('color: purple', 'color: white'));
        await click('Check')(page);
        await page.locator('dialog .diff-added').waitFor();
      },
      part: 'dialog',
    },
    {
      name: 'scale',
      fragment: web,
      ready: '.yaml-line',
      goOn: async (page) => {
        await click('Scale')(page);
        await page.locator('dialog input:enabled').waitFor();
      },
      part: 'dialog',
    },
    {
      name: 'delete',
      fragment: web,
      ready: '.yaml-line',
      goOn: async (page) => {
        await click('Delete')(page);
        await page.locator('.goes-with li').first().waitFor();
      },
      part: 'dialog',
    },
  ];
}

/** Opens a view in a page that may show another one. */
export async function openView(page: Page, host: Pick<ConsoleHost, 'url'>, view: ConsoleView): Promise<void> {
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await page.goto(`${host.url}#/watch`);
  await page.getByRole('heading', { name: 'Watch inspector' }).waitFor();
  await page.goto(`${host.url}${view.fragment}`);
  await page.locator(view.ready).first().waitFor();
  await view.goOn?.(page);
}
