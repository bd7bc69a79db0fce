import { readFileSync } from 'node:fs';
import * as schema from '@listwatch/schema';
import { expect, test } from 'vitest';
import * as cel from '../src/index.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const blocks = [...readme.matchAll(/^```ts\n(.*?)^```$/gmsu)].map(([, code = '']) => code);

/** The code as JavaScript, with the packages that it imports as parameters. */
function runnable(code: string): string {
  return code
    .replaceAll(/^import \{([^}]*)\} from '@listwatch\/cel';$/gmu, (_, names: string) => {
      const values = names.split(',').filter((name) => !name.includes('type '));
      return `const {${values.join(',')}} = cel;`;
    })
    .replaceAll(/^import (\{[^}]*\}) from '@listwatch\/schema';$/gmu, 'const $1 = schemas;')
    .replaceAll(/\((\w+): string\)/gu, '($1)')
    .replaceAll(': CelLibrary', '');
}

/** The comments behind, or under, what is printed. */
function promised(code: string): string {
  const behind = [...code.matchAll(/console\.log\(.*\); \/\/ (.*)$/gmu)].map(([, text = '']) => text);
  const under = [...code.matchAll(/^\/\/ ?(.*)$/gmu)].map(([, text = '']) => text.replace(/^ (?=\|)/u, ' '));
  return [...behind, ...under].join('\n');
}

test.each(blocks)('example %# prints what it says', (code) => {
  const printed: string[] = [];
  const console = { log: (...values: readonly unknown[]) => printed.push(values.map(String).join(' ')) };
  // The code is that of our own page.
  // oxlint-disable-next-line no-new-func, typescript/no-implied-eval
  new Function('cel', 'schemas', 'console', runnable(code))(cel, schema, console);
  expect(printed.join('\n')).toBe(promised(code));
  expect(printed.length).toBeGreaterThan(0);
});
