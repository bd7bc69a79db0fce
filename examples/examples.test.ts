import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { packageFlags } from '@listwatch/conformance/parts';
import { describe, expect, it } from 'vitest';

const folder = fileURLToPath(new URL('.', import.meta.url));
/** Those that go on until Ctrl-C and want a cluster: the tests of runtime and controller examples give them one. */
const ENDLESS = [
  'browser-proxy.ts',
  'checkpointed-informer.ts',
  'config-map-per-namespace.ts',
  'dashboard-feed.ts',
  'first-informer.ts',
  'first-watcher.ts',
  'leader-pair.ts',
  'pod-informer.ts',
  'policy-checker.ts',
  'quickstart.ts',
];
const examples = readdirSync(folder).filter((file) => /^[^.]+\.ts$/u.test(file) && !ENDLESS.includes(file));

/** Lines that an example must print, so that it is seen to do what it says. */
const PROMISED: Readonly<Record<string, readonly string[]>> = {
  'embedded-server.ts': ['https: 1 config map: hello'],
  'express-server.ts': ['ADDED hello'],
  'fastify-server.ts': ['ADDED hello'],
  'storage-tour.ts': [
    'created at 2, updated at 3',
    'CONFLICT: "a=2" at 3',
    'at revision 2 it was "a=1"',
    '4 delete /registry/configmaps/default/hello (was "a=2")',
    'COMPACTED: revision 2 has been compacted: the history begins at 4',
  ],
};

describe('examples', () => {
  it.each(examples)('%s runs to its end and prints what it promises', async (file) => {
    const args = [...packageFlags(), '--import', 'tsx', file];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd: folder });
    expect(stderr).toBe('');
    for (const line of PROMISED[file] ?? [`no lines are promised for ${file}: add them here`])
      expect(stdout).toContain(line);
  });
});
