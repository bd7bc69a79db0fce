import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

/** The sources of this package that are in a bundle for browsers of this program. */
async function bundled(program: string): Promise<readonly string[]> {
  const folder = fileURLToPath(new URL('../src/', import.meta.url));
  const { metafile } = await build({
    stdin: { contents: program, resolveDir: folder, loader: 'ts' },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['@listwatch/source'],
    metafile: true,
    write: false,
  });
  const [output] = Object.values(metafile.outputs);
  const used = Object.entries(output?.inputs ?? {}).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  return used.map(([file]) => file);
}

const LATER = /\/(?:apply|discovery|pods)\/|js-yaml/u;

it('a bundle that only watches has nothing of apply, discovery, logs and YAML', async () => {
  const files = await bundled(
    `import { connect } from './index.ts'; connect({ server: 'x' }).then((c) => c.watch({}))`,
  );
  expect(files.length).toBeGreaterThan(10);
  expect(files.filter((file) => LATER.test(file))).toEqual([]);
});

it('a bundle that applies YAML has it', async () => {
  const files = await bundled(`import { applyYaml } from './index.ts'; console.log(applyYaml)`);
  expect(files.some((file) => file.includes('js-yaml'))).toBe(true);
});
