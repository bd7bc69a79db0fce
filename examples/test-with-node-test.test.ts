import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { packageFlags } from '@listwatch/conformance/parts';
import { expect, it } from 'vitest';

const file = fileURLToPath(new URL('test-with-node-test.mjs', import.meta.url));

it('test-with-node-test.mjs passes under the test runner of Node, and lets the process end', async () => {
  const args = [...packageFlags(), '--import', 'tsx', '--test', '--test-reporter=tap', file];
  // A runner that finds itself inside another one reports to it and not to us.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    env,
  });
  expect(stdout).toMatch(/^# pass 2$/mu);
  expect(stdout).toMatch(/^# fail 0$/mu);
});
