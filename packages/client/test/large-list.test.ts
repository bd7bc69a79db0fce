import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const PROGRAM = fileURLToPath(new URL('large-list.ts', import.meta.url));
const MIB = 1024 * 1024;

test('a list of more than 512 MB is decoded in a heap of 48 MB, and a name that is kept does not keep its list', async () => {
  const flags = ['--max-old-space-size=48', '--conditions=@listwatch/source', '--import', 'tsx'];
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, PROGRAM], {
    // Not those of the test runner.
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  const facts: unknown = JSON.parse(stdout);
  expect(facts).toEqual({
    bytes: expect.toSatisfy((bytes: number) => bytes > 2 ** 29, 'more than V8 holds in one string'),
    peak: expect.toSatisfy((peak: number) => peak < 128 * MIB, `less than 128 MiB`),
    names: 40_000,
    last: 'an-object-with-a-rather-long-name-39999',
    resourceVersion: '9',
  });
});
