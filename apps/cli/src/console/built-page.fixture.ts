/** The page that links lead to: `npm test` has built it, a single test may have to. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildPage, PAGE_FOLDER } from '../../../console/build-page.mjs';

export async function needPage(): Promise<void> {
  if (!existsSync(join(PAGE_FOLDER, 'index.html'))) await buildPage();
}
