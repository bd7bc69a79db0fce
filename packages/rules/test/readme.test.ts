import { readFileSync } from 'node:fs';
import * as kinds from '@listwatch/kinds';
import { expect, test } from 'vitest';
import * as rules from '../src/index.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const blocks = [...readme.matchAll(/^```ts\n(.*?)^```$/gmsu)].map(([, code = '']) => code);

/** The code as the body of a function, with the packages as parameters. */
function runnable(code: string): string {
  const body = code.replaceAll(/^import (\{[^}]*\}) from '@listwatch\/(\w+)';$/gmu, 'const $1 = $2;');
  return `return (async () => {\n${body}})();`;
}

/** The comments behind, or under, what is printed. */
function promised(code: string): string {
  return [...code.matchAll(/(?:console\.log\(.*\);|^) ?\/\/ (.*)$/gmu)].map(([, text = '']) => text).join('\n');
}

test.each(blocks)('example %# prints what it says', async (code) => {
  const printed: string[] = [];
  const console = { log: (...values: readonly unknown[]) => printed.push(values.map(String).join(' ')) };
  // The code is that of our own page.
  // oxlint-disable-next-line no-new-func, typescript/no-implied-eval, typescript/no-unsafe-call
  await new Function('kinds', 'rules', 'console', runnable(code))(kinds, rules, console);
  expect(printed.join('\n')).toBe(promised(code));
  expect(printed.length).toBeGreaterThan(0);
});
