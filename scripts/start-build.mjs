// Before `npm start`: builds what has changed, says so and why, and does nothing when the build is current. On the standard error: the
// standard output is the server's, whose lines programs read.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT, sourcesOf, staleness } from './build-stamp.mjs';

const outputs = ['apps/cli/dist/index.js', 'packages/server/dist/index.js', 'apps/console/dist/page/index.html'];
const reason = staleness(
  sourcesOf(),
  outputs.map((path) => join(ROOT, path)),
);
if (reason !== undefined) {
  console.error(`Building listwatch (${reason}). This takes up to half a minute ...`);
  const began = performance.now();
  const { status } = spawnSync(process.execPath, [join(ROOT, 'scripts/build.mjs')], { stdio: ['ignore', 2, 2] });
  if (status !== 0) {
    console.error('The build failed; the server was not started.');
    process.exit(status ?? 1);
  }
  console.error(`Built in ${((performance.now() - began) / 1000).toFixed(0)} s. The next start does not build.`);
}
