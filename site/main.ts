// `npm run docs`: builds the site into .listwatch/site, follows every link, and looks at it in Chromium where there is one.
// `npm run docs -- --serve` shows it on a port of this machine.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSite } from './build-site.ts';
import { deadLinks } from './dead-links.ts';
import { lookAt, serveFolder } from './look.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const out = join(root, '.listwatch', 'site');
const pages = buildSite(out);
const dead = deadLinks(out);
console.log(`${pages} pages in ${out}, ${dead.length} dead links`);
const chromium = process.env['CHROMIUM_BIN'] ?? '/usr/bin/chromium';
if (!existsSync(chromium) && (process.env['REQUIRED_PARTS'] ?? '').split(',').includes('Chromium'))
  throw new Error(`nobody has looked at the pages: there is no Chromium at ${chromium}; set CHROMIUM_BIN`);
const problems = existsSync(chromium) ? await lookAt(out, chromium, join(root, '.listwatch', 'site-pictures')) : [];
console.log(existsSync(chromium) ? `looked at in Chromium, ${problems.length} problems` : 'not looked at: no Chromium');
for (const problem of [...dead, ...problems]) console.error(problem);
if (dead.length + problems.length > 0) process.exitCode = 1;
else if (process.argv.includes('--serve')) console.log((await serveFolder(out)).url);
