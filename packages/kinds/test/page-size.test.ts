import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

/** A page that watches two kinds, without this package. */
const BEFORE = `
import { connect } from '@listwatch/client';
import { informer } from '@listwatch/runtime';
const cluster = await connect({ server: location.origin });
const pods = { group: '', version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true };
const deployments = { group: 'apps', version: 'v1', plural: 'deployments', kind: 'Deployment', namespaced: true };
console.log(informer(cluster, pods), informer(cluster, deployments));
`;

const AFTER = `
import { connect } from '@listwatch/client';
import { deployments, pods } from '@listwatch/kinds';
import { informer } from '@listwatch/runtime';
const cluster = await connect({ server: location.origin });
console.log(informer(cluster, pods), informer(cluster, deployments));
`;

async function bundled(contents: string, minify: boolean): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: fileURLToPath(new URL('.', import.meta.url)), loader: 'ts' },
    conditions: ['@listwatch/source'],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2023',
    minify,
    write: false,
  });
  return outputFiles[0]?.text ?? expect.unreachable();
}

describe('a page with two kinds', () => {
  it.each([true, false])('grows by less than 2 KB (minified: %s)', async (minify) => {
    const [before, after] = await Promise.all([bundled(BEFORE, minify), bundled(AFTER, minify)]);
    expect(before).toContain('"deployments"');
    expect(after).toContain('"deployments"');
    expect(after.length - before.length).toBeLessThan(2048);
  });

  it('has no other kind and no schema in it', async () => {
    const after = await bundled(AFTER, false);
    expect(after).not.toContain('configmaps');
    expect(after).not.toContain('patchStrategy');
  });
});
