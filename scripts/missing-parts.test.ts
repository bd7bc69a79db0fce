import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { missingParts } from './missing-parts.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
let folder: string;

beforeAll(() => {
  // Within the root, so that vitest is found; its name keeps it out of the tests of the workspace.
  mkdirSync(join(root, 'node_modules/.cache'), { recursive: true });
  folder = mkdtempSync(join(root, 'node_modules/.cache/missing-parts-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const TESTS = `
import { needs } from ${JSON.stringify(join(root, 'packages/conformance/src/parts/real-part.ts'))};
import { describe, expect, it } from 'vitest';

describe('a group', needs('etcd'), () => {
  describe('within', () => {
    it('one', () => expect.unreachable());
    it('two', () => expect.unreachable());
  });
});
it('alone', needs('etcd'), () => expect.unreachable());
it('needs nothing', () => {});
it.skip('skipped for another reason', () => {});
`;

/** The workspace's own configuration of tests that run alone, but for where the tests are. */
const CONFIG = `
import own from ${JSON.stringify(join(root, 'vitest.config.ts'))};
const { resolve, ssr, test } = own.test.projects.find((project) => project.test.name === 'alone');
const { experimental } = own.test;
export default { resolve, ssr, test: { ...test, experimental, include: ['*.test.ts'], setupFiles: [] } };
`;

it('a missing part skips every test that needs it, and the report says how many and how to get it', async () => {
  writeFileSync(join(folder, 'some.test.ts'), TESTS);
  const report = join(folder, 'report.json');
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const config = join(folder, 'vitest.config.ts');
  writeFileSync(config, CONFIG);
  const args = ['run', '--root', folder, '--config', config, '--reporter=json', `--outputFile=${report}`];
  const env = { ...process.env, ETCD_BIN: join(folder, 'no-etcd') };
  await promisify(execFile)(process.execPath, [vitest, ...args], { env });
  const { testResults, numPassedTests, numPendingTests } = JSON.parse(readFileSync(report, 'utf8'));
  expect({ numPassedTests, numPendingTests }).toEqual({ numPassedTests: 1, numPendingTests: 4 });
  const get = 'apt-get install etcd-server, or set ETCD_BIN';
  expect(missingParts(testResults[0].assertionResults)).toEqual([{ name: 'etcd', get, leftOut: 3 }]);
});
