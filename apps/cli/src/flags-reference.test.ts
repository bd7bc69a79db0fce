import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type OptionSpec, optionName, SERVE_OPTIONS, SETTING_NAMES, variableName } from './serve-options.ts';

/** A row of the page: the flag and its value, the variable, the default, what it does. */
function rowOf(name: (typeof SETTING_NAMES)[number]): string {
  const { value, short, help, fallback, fallbackText }: OptionSpec<unknown> = SERVE_OPTIONS[name];
  const text = fallbackText ?? (typeof fallback === 'string' || typeof fallback === 'number' ? String(fallback) : '');
  const flag = `${short === undefined ? '' : `\`-${short}\`, `}\`--${optionName(name)}\` ${value}`;
  return [flag, `\`${variableName(name)}\``, text, help].join(' | ');
}

it('docs/reference/flags.md has a row for every option, with its variable, its default and its help, and no other', () => {
  const page = readFileSync(new URL('../../../docs/reference/flags.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| (`-.*) \|$/gmu)].map(([, row = '']) =>
    row
      .split(' | ')
      .map((cell) => cell.trim())
      .join(' | '),
  );
  expect(rows).toEqual(SETTING_NAMES.map(rowOf));
});
