import { fileURLToPath } from 'node:url';
import { KIND_RULES, type KindRules, SERVED_KINDS } from '@listwatch/rules/internal';
import { expect, it } from 'vitest';
import type { KindData } from '../packages/kinds/src/kind-data.ts';

const PAGE = fileURLToPath(new URL('../docs/reference/kinds.md', import.meta.url));

const INTRODUCTION = `# Kinds that the server has

This page is generated: \`npx vitest run scripts/kinds-page.test.ts -u\` writes it.

Every kind is decoded by its schema: types of fields, unknown and duplicate fields, declared defaults. The last column says what is code
besides: _defaults_ that depend on other fields, _validation_, with other rules for _changes_, and _conversion_
between versions. A kind with _schema only_ takes every object that its schema and the rules of metadata allow. A kind that is _never stored_ answers a request, as reviews do.
`;

const HEADER = ['kind', 'group and version', 'scope', 'resource', 'short names', 'subresources', 'rules of its own'];

const VALIDATION = [
  ['validate', 'validation'],
  ['validateUpdate', 'changes'],
] as const satisfies readonly (readonly [keyof KindRules, string])[];

function rulesOf(data: KindData): string {
  if (!data.verbs.includes('get')) return 'never stored';
  const rules: KindRules = KIND_RULES[data.type] ?? {};
  const words = [
    ...(rules.applyDefaults === undefined ? [] : ['defaults']),
    ...VALIDATION.filter(([name]) => rules[name] !== undefined).map(([, word]) => word),
    ...(rules.convert === undefined ? [] : ['conversion']),
  ];
  return words.length === 0 ? 'schema only' : [...new Set(words)].join(', ');
}

function rowOf(data: KindData): readonly string[] {
  const { group, version, kind, plural, namespaced, shortNames, subresources } = data;
  return [
    kind,
    group === '' ? version : `${group}/${version}`,
    namespaced ? 'namespace' : 'cluster',
    plural,
    shortNames.join(', '),
    Object.keys(subresources).toSorted().join(', '),
    rulesOf(data),
  ];
}

function tableOf(rows: readonly (readonly string[])[]): string {
  const widths = HEADER.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const [header, ...others] = rows.map(
    (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`,
  );
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [header, rule, ...others].join('\n');
}

it('docs/reference/kinds.md lists every kind that is served, with its rules', async () => {
  const kinds = SERVED_KINDS.map(rowOf);
  await expect(`${INTRODUCTION}\n${tableOf([HEADER, ...kinds])}\n`).toMatchFileSnapshot(PAGE);
});
