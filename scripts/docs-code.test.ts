import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { publicPackages } from './bundle.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

const ABOUT_SERVICES = `
  import type { Cluster } from '@listwatch/client';
  import { deployments, services, type Deployment } from '@listwatch/kinds';
  declare const cluster: Cluster;
  declare function serviceFor(deployment: Deployment): { readonly metadata: { readonly name: string } };
`;

/** What a page leaves to its reader: values that no example can show. */
const LEFT_OPEN: Readonly<Record<string, string>> = {
  // As much of the browser as is used: its types and those of Node, which our sources need, do not fit into one program.
  'docs/guide/browsers.md': `
    declare const location: { readonly origin: string };
    declare const document: { title: string };
    declare function currentToken(): Promise<string>;
  `,
  'docs/guide/test-a-controller.md': `
    import type { Routes } from './expose.ts';
    import type { TestEnvironment } from '@listwatch/testing';
    declare const routes: Routes;
    declare const env: TestEnvironment;
  `,
  'docs/guide/coming-from-controller-runtime.md': ABOUT_SERVICES,
  'docs/guide/coming-from-kube-rs.md': ABOUT_SERVICES,
};

/** Modules that a page imports from beside itself. */
const BESIDE: Readonly<Record<string, string>> = { './expose.ts': 'examples/expose/expose.ts' };

/** Pages whose code runs in a browser: compiled against the doors that a bundler for browsers takes. */
const FOR_BROWSERS: ReadonlySet<string> = new Set(['docs/guide/browsers.md']);

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

/** The blocks that are files of their own, which begin with `// name.ts`, by name. */
function filesOf(blocks: readonly string[]): readonly (readonly [string, string])[] {
  return blocks.flatMap((code) => {
    const [, name] = /^\/\/ ([\w.-]+\.ts)\n/u.exec(code) ?? [];
    return name === undefined ? [] : [[name, code] as const];
  });
}

/** One module for a page: what a block declares, later blocks may use, or declare anew. */
function moduleOf(leftOpen: string, blocks: readonly string[]): string {
  const imports = new Map<string, { names: Set<string>; whole: Set<string> }>();
  const rest = blocks.map((block) =>
    block.replaceAll(
      /^import (type )?(?:(\w+)(?:, )?)?(?:\{([^}]*)\})? from '([^']+)';$/gmu,
      (_, type = '', whole: string | undefined, names: string | undefined, from: string) => {
        const known = imports.get(from) ?? { names: new Set(), whole: new Set() };
        for (const name of (names ?? '').split(',').map((one) => one.trim()))
          if (name !== '') known.names.add(`${type}${name}`);
        if (whole !== undefined) known.whole.add(whole);
        imports.set(from, known);
        return '';
      },
    ),
  );
  const lines = [...imports].map(([from, { names, whole }]) =>
    [`import ${[...whole, `{ ${[...names].join(', ')} }`].join(', ')} from '${from}';`].join('\n'),
  );
  return [...lines, leftOpen, ...rest.map((block) => `{\n${block}`), '}'.repeat(rest.length), 'export {};\n'].join(
    '\n',
  );
}

const COMPILER_OPTIONS = {
  composite: false,
  declaration: false,
  declarationMap: false,
  emitDeclarationOnly: false,
  isolatedDeclarations: false,
  noEmit: true,
  noUnusedLocals: false,
  allowImportingTsExtensions: true,
};
const ON_NODE = { ...COMPILER_OPTIONS, types: ['node'] };
const IN_BROWSERS = { ...ON_NODE, module: 'esnext', moduleResolution: 'bundler' };

it('every TypeScript of the guides and READMEs compiles, page by page, against the packages as they are', () => {
  // Within the root, so that packages are found; and where nobody else looks.
  const folder = mkdtempSync(join(root, 'node_modules', '.docs-code-'));
  try {
    const written = pages().flatMap((page) => {
      const blocks = blocksOf(readFileSync(join(root, page), 'utf8'));
      if (blocks.length === 0) return [];
      const slug = page.replaceAll(/[/.]/gu, '-');
      const files = filesOf(blocks);
      if (files.length > 0) mkdirSync(join(folder, slug));
      for (const [name, code] of files) writeFileSync(join(folder, slug, name), code);
      const rest = blocks.filter((block) => !files.some(([, code]) => code === block));
      const file = `${slug}.ts`;
      writeFileSync(join(folder, file), moduleOf(LEFT_OPEN[page] ?? '', rest));
      return [{ page, file }, ...files.map(([name]) => ({ page, file: join(slug, name) }))];
    });
    for (const [name, source] of Object.entries(BESIDE)) copyFileSync(join(root, source), join(folder, name));
    for (const [name, compilerOptions] of Object.entries({ node: ON_NODE, browser: IN_BROWSERS })) {
      const files = written.filter(({ page }) => FOR_BROWSERS.has(page) === (name === 'browser'));
      const config = {
        extends: join(root, 'tsconfig.base.json'),
        compilerOptions,
        files: files.map(({ file }) => file),
      };
      const path = join(folder, `tsconfig.${name}.json`);
      writeFileSync(path, JSON.stringify(config));
      const { stdout, status } = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', path], { encoding: 'utf8' });
      expect(stdout).toBe('');
      expect(status).toBe(0);
    }
    const files = written.map(({ file }) => file);
    expect(files).toContain('docs-guide-browsers-md.ts');
    expect(files).toContain('docs-guide-develop-an-operator-md/operator.test.ts');
    expect(files).toContain('docs-guide-first-watcher-md.ts');
    expect(files).toContain('packages-client-README-md.ts');
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 240_000);
