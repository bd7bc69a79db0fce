import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

it('the door for browsers needs nothing of Node', async () => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../src/index.ts', import.meta.url))],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['@listwatch/source'],
    write: false,
  });
  expect(outputFiles[0]?.text).not.toMatch(/from ["']node:/);
  expect(outputFiles[0]?.text).toContain('sharedInformers');
});
