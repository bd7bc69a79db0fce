import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const folder = fileURLToPath(new URL('.', import.meta.url));

/** Every import that is left when the types are gone, static and dynamic, from one file on. */
function reachable(
  entry: string,
  imports: 'all' | 'static' = 'all',
): { readonly files: ReadonlySet<string>; readonly outside: ReadonlySet<string> } {
  const files = new Set<string>();
  const outside = new Set<string>();
  const visit = (file: string): void => {
    if (files.has(file)) return;
    files.add(file);
    const source = readFileSync(file, 'utf8');
    const statements = source.matchAll(/^(?:import|export)\s(?!type\b)[^;]*?from '([^']+)'|\bimport\('([^']+)'\)/gmu);
    for (const [, named, dynamic] of statements) {
      if (named === undefined && imports === 'static') continue;
      const target = named ?? dynamic ?? '';
      if (target.startsWith('.')) visit(join(dirname(file), target));
      else outside.add(`${relative(folder, file)}: ${target}`);
    }
  };
  visit(join(folder, entry));
  return { files, outside };
}

const importOf = (line: string): string => line.split(': ')[1] ?? '';

describe('doors', () => {
  it('everything behind index.ts runs in a browser', () => {
    const { files, outside } = reachable('index.ts');
    expect(files.size).toBeGreaterThan(15);
    const others = [...outside].filter((line) => !importOf(line).startsWith('@listwatch/api'));
    // Loaded only by a program that reads or writes YAML; it has a build for browsers.
    expect(others).toEqual(['apply/yaml-documents.ts: js-yaml', 'apply/yaml-text.ts: js-yaml']);
    expect([...reachable('index.ts', 'static').outside].map(importOf)).not.toContain('js-yaml');
    for (const file of files) expect(readFileSync(file, 'utf8'), file).not.toMatch(/\b(?:Buffer|process)\.[a-z]/u);
  });

  it('the walk sees what it should refuse: node.ts reaches Node, undici and js-yaml', () => {
    const seen = [...reachable('node.ts').outside].map(importOf);
    expect(seen).toEqual(expect.arrayContaining(['node:http2', 'node:fs/promises', 'undici', 'js-yaml']));
  });

  it('undici, js-yaml, ws and processes are loaded when they are needed, and not with the package', () => {
    const seen = [...reachable('node.ts', 'static').outside].map(importOf);
    for (const costly of ['undici', 'js-yaml', 'ws', 'node:child_process']) expect(seen).not.toContain(costly);
  });
});
