// Runs the tests that draw random input with a new seed each round, and stops at the first failure: npm run test:seeds -- ROUNDS

import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const rounds = Number(process.argv[2] ?? 3);
const DRAWS = /from 'fast-check'|TEST_SEED|describeFuzz|describeWatchLoad/u;

const files = ['packages', 'apps', 'examples']
  .flatMap((area) =>
    readdirSync(join(root, area), { recursive: true, encoding: 'utf8' }).map((file) => join(area, file)),
  )
  .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules'))
  .filter((file) => DRAWS.test(readFileSync(join(root, file), 'utf8')));

for (let round = 1; round <= rounds; round += 1) {
  const seed = randomInt(2 ** 31 - 1);
  console.log(`round ${round} of ${rounds}: TEST_SEED=${seed}`);
  const env = { WATCH_LOAD_WRITES: '20000', ...process.env, TEST_SEED: String(seed) };
  const { status } = spawnSync('npx', ['vitest', 'run', ...files], { cwd: root, env, stdio: 'inherit' });
  if (status !== 0) {
    console.log(`failed with TEST_SEED=${seed}`);
    process.exit(1);
  }
}
