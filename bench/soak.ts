/**
 * Every soak, one after the other: `npm run test:soak`, or one of them: `npm run test:soak -- --only runtime`.
 * `SOAK_MINUTES` says how long each takes (10); the exit code is 1 when something is wrong.
 */

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const SOAKS: Readonly<Record<string, string>> = { server: 'server/soak.ts', runtime: 'runtime/soak.ts' };

const { values } = parseArgs({ options: { only: { type: 'string' } } });
const names = values.only === undefined ? Object.keys(SOAKS) : [values.only];
for (const name of names) {
  const file = SOAKS[name];
  if (file === undefined)
    throw new RangeError(`no soak is called ${name}; there are: ${Object.keys(SOAKS).join(', ')}`);
  const flags = ['--expose-gc', '--conditions=@listwatch/source', '--import', 'tsx'];
  const { status } = spawnSync(process.execPath, [...flags, fileURLToPath(new URL(file, import.meta.url))], {
    stdio: 'inherit',
  });
  console.error(`soak of the ${name}: ${status === 0 ? 'ok' : 'FAILED'}`);
  if (status !== 0) process.exitCode = 1;
}
