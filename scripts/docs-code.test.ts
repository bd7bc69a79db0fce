import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { publicPackages } from './bundle.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What a page leaves to its reader: values that no example can show. */
const LEFT_OPEN: Readonly<Record<string, string>> = {
  'README.md': `
    import type { ApiServerOptions } from '@listwatch/server';
    declare const cert: string;
    declare const key: string;
    declare const authenticator: ApiServerOptions['authenticator'];
  `,
};

/** The pages whose code people copy. Those of docs/design show how things looked when they were decided. */
function pages(): readonly string[] {
  const folders = ['docs/guide', 'docs/reference'];
  const inner = folders.flatMap((folder) => readdirSync(join(root, folder)).map((file) => join(folder, file)));
  const packages = publicPackages().map(({ folder }) => join(relative(root, folder), 'README.md'));
  return ['README.md', 'docs/guarantees.md', ...packages, ...inner].filter((file) => file.endsWith('.md'));
}

function blocksOf(text: string): readonly string[] {
  return [...text.matchAll(/^```ts\n(.*?)^```$/gmsu)].map(([, code = '']) => code);
}

/** One module for a page: what a block declares, later blocks may use, or declare anew. */
function moduleOf(leftOpen: string, blocks: readonly string[]): string {
  const imports = new Map<string, Set<string>>();
  const rest = blocks.map((block) =>
    block.replaceAll(
      /^import (type )?\{([^}]*)\} from '([^']+)';$/gmu,
      (_, type: string | undefined, names: string, from: string) => {
        const known = imports.get(from) ?? new Set();
        for (const name of names.split(',').map((one) => one.trim()))
          if (name !== '') known.add(`${type ?? ''}${name}`);
        imports.set(from, known);
        return '';
      },
    ),
  );
  const lines = [...imports].map(([from, names]) => `import { ${[...names].join(', ')} } from '${from}';`);
  return [...lines, leftOpen, ...rest.map((block) => `{\n${block}`), '}'.repeat(rest.length), 'export {};\n'].join(
    '\n',
  );
}

it('every TypeScript of the guides and READMEs compiles, page by page, against the packages as they are', () => {
  // Within the root, so that packages are found; and where nobody else looks.
  const folder = mkdtempSync(join(root, 'node_modules', '.docs-code-'));
  try {
    const files = pages().flatMap((page) => {
      const blocks = blocksOf(readFileSync(join(root, page), 'utf8'));
      if (blocks.length === 0) return [];
      const file = `${page.replaceAll(/[/.]/gu, '-')}.ts`;
      writeFileSync(join(folder, file), moduleOf(LEFT_OPEN[page] ?? '', blocks));
      return [file];
    });
    const compilerOptions = {
      composite: false,
      declaration: false,
      declarationMap: false,
      emitDeclarationOnly: false,
      isolatedDeclarations: false,
      noEmit: true,
      noUnusedLocals: false,
      allowImportingTsExtensions: true,
      types: ['node'],
    };
    const config = { extends: join(root, 'tsconfig.base.json'), compilerOptions, files };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const { stdout, status } = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', folder], { encoding: 'utf8' });
    expect(stdout).toBe('');
    expect(status).toBe(0);
    expect(files).toContain('docs-guide-first-watcher-md.ts');
    expect(files).toContain('packages-client-README-md.ts');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
