import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { CONSOLE_OPTIONS } from './console/console-flags.ts';
import { DOCTOR_OPTIONS } from './doctor/doctor-flags.ts';
import { RBAC_OPTIONS } from './rbac/rbac-flags.ts';
import { RELAY_OPTIONS } from './relay/relay-flags.ts';
import { type OptionSpec, optionName } from './serve/option-spec.ts';
import { SERVE_OPTIONS, SETTING_NAMES, variableName } from './serve/serve-options.ts';
import { TYPES_OPTIONS } from './types/types-flags.ts';

/** A row of the page: the flag and its value, the variable, the default, what it does. */
function rowOf(name: (typeof SETTING_NAMES)[number]): string {
  const { value, short, help, fallback, fallbackText }: OptionSpec<unknown> = SERVE_OPTIONS[name];
  const text = fallbackText ?? (typeof fallback === 'string' || typeof fallback === 'number' ? String(fallback) : '');
  const flag = `${short === undefined ? '' : `\`-${short}\`, `}\`--${optionName(name)}\` ${value}`;
  return [flag, `\`${variableName(name)}\``, text, help].join(' | ');
}

const page = readFileSync(new URL('../../../docs/reference/flags.md', import.meta.url), 'utf8');

/** The rows of the tables below a title. */
function rowsBelow(title: string): readonly string[] {
  const section = page.split(/^# /mu).find((text) => text.startsWith(title)) ?? '';
  return [...section.matchAll(/^\| (`-.*) \|$/gmu)].map(([, row = '']) =>
    row
      .split(' | ')
      .map((cell) => cell.trim())
      .join(' | '),
  );
}

it('docs/reference/flags.md has a row for every option, with its variable, its default and its help, and no other', () => {
  expect(rowsBelow('Flags of `listwatch serve`')).toEqual(SETTING_NAMES.map(rowOf));
});

it.each([
  ['console', CONSOLE_OPTIONS],
  ['relay', RELAY_OPTIONS],
  ['doctor', DOCTOR_OPTIONS],
  ['types', TYPES_OPTIONS],
  ['rbac', RBAC_OPTIONS],
])('docs/reference/flags.md has a row for every option of %s', (command, options) => {
  const rows = Object.values(options)
    .flat()
    .map(([flags, help]) => {
      const [, names = '', value = ''] = /^(.*?)(?: <([\w/.:]+)>)?$/u.exec(flags) ?? [];
      const shown = names.split(', ').map((name) => `\`${name}\``);
      return `${shown.join(', ')} ${value}`.trim() + ` | ${help}`;
    });
  expect(rowsBelow(`Flags of \`listwatch ${command}\``)).toEqual(rows);
});
