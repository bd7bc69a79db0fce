/** Where the real Chromium is, and what to do when there is none. */

import { existsSync } from 'node:fs';

/** Where Debian's package puts it. */
const DEBIAN = '/usr/bin/chromium';

/**
 * The browser of page tests: `CHROMIUM_BIN`, or Debian's. Where it is missing, one line says that the tests are skipped and
 * how to get it; in CI (`CI=true`), where `.ci/run` installs it, that is an error.
 */
export function findChromium(): string | undefined {
  const path = process.env['CHROMIUM_BIN'] ?? DEBIAN;
  if (existsSync(path)) return path;
  if (process.env['CI'] === 'true') throw new Error(`CI must run the page tests, but there is no ${path}`);
  process.stderr.write(
    `page tests are skipped: there is no ${path}. Install it (apt-get install chromium) or set CHROMIUM_BIN.\n`,
  );
  return undefined;
}
