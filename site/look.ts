import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type BrowserContext, chromium, type Page, type Response } from 'playwright-core';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

/** What somebody downloads who opens a guide, in bytes of gzip: the page and its styles. */
const MOST_OF_A_GUIDE = 12_000;

/** Serves a folder on loopback. */
export async function serveFolder(folder: string): Promise<{ readonly url: string; readonly close: () => void }> {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname);
    const file = join(folder, normalize(path.endsWith('/') ? `${path}index.html` : path));
    if (!file.startsWith(folder) || !existsSync(file) || statSync(file).isDirectory()) {
      response.writeHead(404).end();
      return;
    }
    response
      .writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' })
      .end(readFileSync(file));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return { url: `http://127.0.0.1:${address.port}`, close: () => server.close() };
}

/** Looks at a built site in Chromium; gives what is wrong with it. Pictures of what it saw go to `pictures`. */
export async function lookAt(out: string, executablePath: string, pictures: string): Promise<readonly string[]> {
  mkdirSync(pictures, { recursive: true });
  const site = await serveFolder(out);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const problems: string[] = [];
  try {
    const without = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 1280, height: 900 } });
    await visit(without, `${site.url}/guide/first-informer.html`, problems, async (page, answers) => {
      const sizes = await Promise.all(answers.map(async (answer) => gzipSync(await answer.body()).length));
      const size = sizes.reduce((sum, one) => sum + one, 0);
      console.log(`a guide is ${answers.length} files and ${size} bytes of gzip`);
      if (size > MOST_OF_A_GUIDE) problems.push(`a guide is ${size} bytes of gzip, more than ${MOST_OF_A_GUIDE}`);
      if (await page.locator('search').isVisible())
        problems.push('without JavaScript there is a search that does nothing');
      if ((await page.locator('main pre').count()) === 0) problems.push('the guide has no code');
      await page.screenshot({ path: join(pictures, 'guide.png') });
    });
    await visit(without, `${site.url}/index.html`, problems, async (page) => {
      const link = page.locator('nav a[href*="guide/"]').first();
      const title = await link.innerText();
      await link.click();
      await page.waitForURL(/\/guide\//u);
      if ((await page.locator('main h1').count()) !== 1) problems.push(`without JavaScript ${title} has no heading`);
    });
    await visit(without, `${site.url}/api/client.html`, problems, async (page) => {
      const text = await page.locator('main').innerText();
      // A signature, and a comment of the sources.
      for (const part of ['connect(', 'By a kubeconfig, or as the service account of this pod'])
        if (!text.includes(part)) problems.push(`without JavaScript the API page of the client lacks "${part}"`);
    });
    await without.close();
    for (const [name, options] of Object.entries({
      desktop: { viewport: { width: 1280, height: 900 } },
      phone: { viewport: { width: 390, height: 800 } },
      dark: { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' as const },
    })) {
      const context = await browser.newContext(options);
      for (const path of ['index.html', 'reference/flags.html', 'api/client.html', 'design/0004-server.html']) {
        await visit(context, `${site.url}/${path}`, problems, async (page) => {
          const tooWide = await page.evaluate(
            'document.documentElement.scrollWidth > document.documentElement.clientWidth',
          );
          if (tooWide === true) problems.push(`${path} scrolls sideways on a ${name}`);
          await page.screenshot({ path: join(pictures, `${name}-${path.replaceAll('/', '-')}.png`) });
        });
      }
      if (name !== 'phone')
        await visit(context, `${site.url}/index.html`, problems, async (page) => {
          const cut = await page.evaluate(
            "[...document.querySelectorAll('main pre')].slice(0, 2).some((one) => one.scrollWidth > one.clientWidth)",
          );
          if (cut === true) problems.push(`the first commands of the first page are cut off on a ${name}`);
        });
      await visit(context, `${site.url}/index.html`, problems, async (page) => {
        await page.locator('search input').fill('checkpoint');
        await page.locator('#results a').first().click();
        await page.waitForURL((url) => !url.pathname.endsWith('/index.html') || url.hash !== '');
        if (!(await page.locator('main').innerText()).toLowerCase().includes('checkpoint'))
          problems.push(`the search for "checkpoint" leads to ${page.url()}, which does not have it`);
      });
      await context.close();
    }
  } finally {
    await browser.close();
    site.close();
  }
  return problems;
}

async function visit(
  context: BrowserContext,
  url: string,
  problems: string[],
  look: (page: Page, answers: readonly Response[]) => Promise<void>,
): Promise<void> {
  const page = await context.newPage();
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`${url}: ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.push(`${url}: ${error.message}`));
  const answers: Response[] = [];
  page.on('response', (one) => answers.push(one));
  const answer = await page.goto(url, { waitUntil: 'load' });
  if (answer?.status() !== 200) problems.push(`${url} answers ${answer?.status()}`);
  await look(page, answers);
  await page.close();
}
