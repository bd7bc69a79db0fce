/** Pages of one browser, with what they complain of and ask for. */

import { createRequire } from 'node:module';
import { requireRealPart } from '@listwatch/conformance/parts';
import { type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const LIMIT = 20_000;

export interface PageOpener {
  open(url: string, options?: BrowserContextOptions): Promise<OpenedPage>;
  close(): Promise<void>;
}

export interface OpenedPage extends AsyncDisposable {
  readonly page: Page;
  /** Paths on the page's own origin that it asked for. */
  readonly requested: readonly string[];
  /** Addresses elsewhere that it asked for. */
  readonly foreign: readonly string[];
  /** Forgets the complaints so far. */
  forgetComplaints(): void;
  /** Errors, and what the Content-Security-Policy refused. */
  expectNoComplaints(): void;
  /** What axe finds: the rule and the elements. `rules` and `part` (a selector) leave the others out. */
  violations(rules?: readonly string[], part?: string): Promise<readonly string[]>;
}

interface AxeResults {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
}

declare const axe: {
  run(
    part: string,
    options: { readonly runOnly?: string[]; readonly resultTypes: string[]; readonly preload: false },
  ): Promise<AxeResults>;
};

export async function openBrowser(): Promise<PageOpener> {
  const browser = await chromium.launch({ executablePath: requireRealPart('Chromium') });
  return {
    close: () => browser.close(),
    async open(url, options = {}) {
      const context = await browser.newContext({
        viewport: { width: 1280, height: 800 },
        bypassCSP: false,
        ...options,
      });
      context.setDefaultTimeout(LIMIT);
      const page = await context.newPage();
      const complaints: string[] = [];
      const requested: string[] = [];
      const foreign: string[] = [];
      page.on('pageerror', (error) => complaints.push(String(error)));
      page.on('console', (message) => {
        // A watch that is given up while it opens; and answers that a test asked for.
        if (
          /WebSocket is closed before|WebSocket connection to .* failed|status of 4(?:00|01|09|10)/u.test(
            message.text(),
          )
        )
          return;
        if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
      });
      const { origin } = new URL(url);
      page.on('request', (request) => {
        const asked = new URL(request.url());
        if (asked.origin === origin) requested.push(asked.pathname);
        else if (asked.protocol.startsWith('http')) foreign.push(request.url());
      });
      await page.goto(url);
      return {
        page,
        requested,
        foreign,
        forgetComplaints: () => complaints.splice(0),
        expectNoComplaints: () => expect(complaints).toEqual([]),
        violations: (rules, part) => violationsOf(page, rules, part),
        [Symbol.asyncDispose]: () => context.close(),
      };
    },
  };
}

/** axe is evaluated, not added as a script, which the page's policy would refuse. */
async function violationsOf(page: Page, rules?: readonly string[], part = 'html'): Promise<readonly string[]> {
  const { readFile } = await import('node:fs/promises');
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(await readFile(AXE, 'utf8'));
  const { violations } = await page.evaluate(
    ([within, runOnly]) =>
      axe.run(within, { ...(runOnly && { runOnly }), resultTypes: ['violations'], preload: false }),
    [part, rules === undefined ? undefined : [...rules]] as const,
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
}
