import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundle, publicPackages } from './bundle.mjs';

interface Shipped {
  readonly folder: string;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly outputs: Metafile['outputs'];
  readonly code: string;
}

const shipped = new Map<string, Shipped>();

beforeAll(async () => {
  for (const of of publicPackages()) {
    const { metafile, outputFiles } = await bundle(of);
    const code = outputFiles.filter(({ path }) => path.endsWith('.js')).map(({ text }) => text);
    shipped.set(of.name, {
      folder: of.folder,
      exports: of.manifest.exports,
      outputs: metafile.outputs,
      code: code.join('\n'),
    });
  }
});

/** What `exports` leads to under these conditions, as Node looks it up: the first condition that holds. */
function target(entry: unknown, conditions: readonly string[]): string {
  if (typeof entry === 'string') return entry.replace('./', '');
  const found = Object.entries(entry ?? {}).find(([condition]) => conditions.includes(condition));
  return found === undefined ? expect.unreachable() : target(found[1], conditions);
}

/** Everything that is loaded with a door before its first line runs. */
function loadedWith(door: string, conditions = ['node', 'default']): { files: Set<string>; outside: Set<string> } {
  const files = new Set<string>();
  const outside = new Set<string>();
  const visitFile = (name: string, { outputs }: Shipped, path: string): void => {
    if (files.has(`${name}: ${path}`)) return;
    files.add(`${name}: ${path}`);
    const output = outputs[path] ?? expect.unreachable(`${name} does not ship ${path}`);
    for (const { path: next, kind, external } of output.imports) {
      if (kind === 'dynamic-import') continue;
      if (external === true) visitDoor(next);
      else visitFile(name, shipped.get(name) ?? expect.unreachable(), next);
    }
  };
  const visitDoor = (specifier: string): void => {
    const [, name = '', subpath = ''] = /^((?:@[^/]+\/)?[^/]+)(.*)$/u.exec(specifier) ?? [];
    const sibling = shipped.get(name);
    if (sibling === undefined) outside.add(specifier);
    else visitFile(name, sibling, target(sibling.exports[`.${subpath}`], conditions));
  };
  visitDoor(door);
  return { files, outside };
}

/** Does a dependency need Node? The patterns of custom schemas come from one that does not. */
function needsNode(dependency: string): boolean {
  return dependency !== 're2js';
}

const NAMES = publicPackages().map(({ name }) => name);

describe('what is shipped', () => {
  // The budget is 30 ms, and a file is half a millisecond: this holds it without a clock.
  it('importing the runtime loads at most sixteen files, and nothing of Node', () => {
    const { files, outside } = loadedWith('@listwatch/runtime');
    expect(files.size).toBeGreaterThan(2);
    expect([...files].length, [...files].join('\n')).toBeLessThanOrEqual(16);
    expect([...outside]).toEqual([]);
  });

  it('importing the runtime, its manager or the test kit loads nothing of webhooks', () => {
    for (const door of ['@listwatch/runtime', '@listwatch/runtime/manager', '@listwatch/testing']) {
      const { outputs } = shipped.get('@listwatch/runtime') ?? expect.unreachable();
      const loaded = [...loadedWith(door).files]
        .filter((file) => file.startsWith('@listwatch/runtime: '))
        .flatMap((file) => Object.keys(outputs[file.replace('@listwatch/runtime: ', '')]?.inputs ?? {}));
      expect(loaded.filter((source) => source.includes('src/webhook/'))).toEqual([]);
    }
    expect([...loadedWith('@listwatch/runtime/webhook').outside]).toContain('node:https');
  });

  it('importing the client loads at most seventeen files, and undici, js-yaml and processes when they are needed', () => {
    const { files, outside } = loadedWith('@listwatch/client');
    expect([...files].length, [...files].join('\n')).toBeLessThanOrEqual(17);
    expect([...outside]).toContain('node:http2');
    for (const late of ['undici', 'js-yaml', 'node:child_process']) expect([...outside]).not.toContain(late);
  });

  it('importing the server loads neither YAML nor WebSockets nor tokens, and of prom-client only what it uses', () => {
    const { outside } = loadedWith('@listwatch/server');
    expect([...outside]).toContain('node:http2');
    for (const late of ['ws', 'js-yaml', 'jose', 'prom-client']) expect([...outside]).not.toContain(late);
  });

  it('importing the kinds loads one file, and their data no schema', () => {
    expect([...loadedWith('@listwatch/kinds').files]).toEqual(['@listwatch/kinds: dist/index.js']);
    const { files, outside } = loadedWith('@listwatch/kinds/data');
    expect([...files].filter((file) => file.startsWith('@listwatch/kinds'))).toEqual([
      '@listwatch/kinds: dist/data.js',
    ]);
    expect([...outside].filter(needsNode)).toEqual([]);
  });

  it('importing the rules loads no schema: those of a kind come with its first object', () => {
    const { files } = loadedWith('@listwatch/rules');
    expect([...files].length, [...files].join('\n')).toBeLessThanOrEqual(25);
    expect([...files].filter((file) => file.includes('generated/schemas'))).toEqual([]);
    expect(
      [...loadedWith('@listwatch/rules/usage').files].filter((file) => file.startsWith('@listwatch/rules')),
    ).toHaveLength(3);
  });

  it('help and version of the command load neither the server nor the runtime', () => {
    const { files } = loadedWith('listwatch');
    expect([...files].filter((file) => /^@listwatch\/(?:server|runtime|storage)/u.test(file))).toEqual([]);
  });

  it.each([
    '@listwatch/api',
    '@listwatch/api/values',
    '@listwatch/cel',
    '@listwatch/schema',
    '@listwatch/kinds',
    '@listwatch/kinds/author',
    '@listwatch/kinds/data',
    '@listwatch/kinds/schemas',
    '@listwatch/rules',
    '@listwatch/rules/internal',
    '@listwatch/rules/usage',
    '@listwatch/client',
    '@listwatch/api/certificates',
    '@listwatch/runtime',
    '@listwatch/runtime/webhook',
  ])('the door for browsers of %s shares no file with what needs Node', (door) => {
    expect([...loadedWith(door, ['default']).outside].filter(needsNode)).toEqual([]);
  });

  it.each(NAMES)('each source of %s is in one file, and no other package is in it', (name) => {
    const outputs = Object.values(shipped.get(name)?.outputs ?? {});
    const sources = outputs.flatMap(({ inputs }) => Object.keys(inputs));
    expect(sources.length).toBeGreaterThan(0);
    expect(sources.filter((source) => !source.startsWith('src/'))).toEqual([]);
    expect(sources.filter((source, at) => sources.indexOf(source) !== at)).toEqual([]);
  });

  // A class whose name is taken in its file, or that names itself, is renamed, and the `name` of its errors with it.
  it.each(NAMES)('each error of %s has the name that its source gives it', (name) => {
    const { folder, outputs, code } = shipped.get(name) ?? expect.unreachable();
    const source = Object.values(outputs)
      .flatMap(({ inputs }) => Object.keys(inputs))
      .map((file) => readFileSync(join(folder, file), 'utf8'))
      .join('\n');
    const classes = [...code.matchAll(/\bvar (\w+) = class(?: (\w+))? extends/gu)];
    const names = classes.map(([, bound = '', own = bound]) => own);
    expect(names.length).toBe(source.match(/\bclass \w+(?:<[^{]*>)? extends/gu)?.length ?? 0);
    expect(names.filter((built) => !new RegExp(`class ${built}[ <]`, 'u').test(source))).toEqual([]);
  });
});
