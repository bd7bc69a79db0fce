// `npm run test:runtimes [NAME...]`: holds the table in docs/reference/runtimes.md on packed packages. It downloads the runtimes once.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CASES } from './runtimes/cases.mjs';
import { installPacked, writeBlocks } from './runtimes/packed-project.mjs';
import { installTools } from './runtimes/tools.mjs';

const wanted = process.argv.slice(2);
const cases = CASES.filter(({ name }) => wanted.length === 0 || wanted.some((word) => name.includes(word)));
installTools();
const scratch = mkdtempSync(join(tmpdir(), 'listwatch-runtimes-'));
const folder = join(scratch, 'project');
const failures = [];
try {
  mkdirSync(folder);
  installPacked(folder, join(scratch, 'tarballs'));
  for (const guide of ['guide/develop-an-operator.md', 'reference/runtimes.md']) writeBlocks(folder, guide);
  const main = readFileSync(join(folder, 'main.ts'), 'utf8');
  const { startTestServer } = await import('@listwatch/testing');
  const server = await startTestServer({ listen: true });
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, server.kubeconfig);
  for (const { name, check } of cases) {
    const began = performance.now();
    const failure = await Promise.resolve()
      .then(() => check({ folder, kubeconfig, main }))
      .then(
        () => undefined,
        (error) => error,
      );
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    console.log(`${failure === undefined ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)`);
    if (failure !== undefined) failures.push(`${name}: ${failure.message}`);
  }
  await server.close();
} finally {
  rmSync(scratch, { recursive: true });
}
for (const failure of failures) console.error(`\n${failure}`);
console.log(`${cases.length - failures.length} passed, ${failures.length} failed`);
process.exitCode = failures.length === 0 ? 0 : 1;
