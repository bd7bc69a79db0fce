// Packs each public package as npm would publish it, checks it (files, publint, attw), and uses it as other projects would.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkConsumers } from './consumer-check.mjs';
import { checkTarballs } from './release/check-tarballs.ts';
import { packPackages } from './release/pack-packages.ts';
import { PROJECT_ADDRESS, REHEARSAL_ADDRESS } from './release/project-address.ts';

const scratch = mkdtempSync(join(tmpdir(), 'listwatch-pack-'));
const report = (line: string): void => console.log(line);
const failures: string[] = [];
try {
  const built = spawnSync(process.execPath, [fileURLToPath(new URL('build.mjs', import.meta.url))], {
    stdio: 'inherit',
  });
  if (built.status !== 0) throw new Error('the build failed');
  const packed = packPackages(scratch, PROJECT_ADDRESS ?? REHEARSAL_ADDRESS);
  failures.push(...checkTarballs(packed, report));
  failures.push(...(await checkConsumers(join(scratch, 'consumer'), packed, report)));
} finally {
  rmSync(scratch, { recursive: true });
}
for (const failure of failures) console.error(`\n${failure}`);
process.exitCode = failures.length === 0 ? 0 : 1;
