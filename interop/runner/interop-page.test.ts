import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { CLIENTS, type InteropClient } from './clients.ts';
import { interopPage } from './interop-page.ts';
import type { ClientRun, Finding } from './result.ts';

const prepare = (): never => expect.unreachable();
const clients: readonly InteropClient[] = [
  { name: 'good', title: 'Good client', language: 'Go', prepare, resumes: true, notes: ['Its note.'] },
  { name: 'bad', title: 'Bad client', language: 'Go', prepare, resumes: true, notes: [] },
  { name: 'away', title: 'Absent client', language: 'Rust', prepare, resumes: true, notes: [] },
];

function run(client: string, ...findings: readonly Finding[]): ClientRun {
  const rest = {
    version: '1.2',
    engine: 'lmdb',
    date: '2026-11-16',
    form: 'full',
    views: ['cache'],
    relists: {},
  } as const;
  return { client, ...rest, findings };
}

const page = interopPage(clients, {
  runs: [
    run('good', { step: 'cut', part: 'cache all', outcome: 'passed', text: '' }),
    run(
      'bad',
      { step: 'cut', part: 'cache all', outcome: 'passed', text: '' },
      { step: 'cut', part: 'cache selected', outcome: 'failed', text: '1 missing (a/x)' },
      { step: 'bookmark', part: '', outcome: 'not offered', text: 'it hides them' },
    ),
  ],
  notRun: [{ client: 'away', reason: 'cargo is not on this machine' }],
});
const rowOf = (title: string): string => page.split('\n').find((line) => line.startsWith(`| ${title}`)) ?? '';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

it('shows a step as passed only if none of its parts has failed', () => {
  expect(rowOf('Good client')).toContain('yes');
  expect(rowOf('Bad client')).toContain('NO');
  expect(rowOf('Bad client')).not.toContain('yes');
  expect(page).toContain('**Failed** on lmdb: cut (cache selected). 1 missing (a/x)');
});

it('shows what happens on a kube-apiserver beside it, and not as ours', () => {
  const passed = { step: 'cut', part: 'cache all', outcome: 'passed', text: '' } as const;
  const failed = { ...passed, outcome: 'failed', text: 'late' } as const;
  const real = { ...run('good', failed), engine: 'kube-apiserver', relists: { kill: 3 } } as const;
  const both = interopPage(clients, { runs: [run('good', passed), real], notRun: [] });
  expect(both).toMatch(/Good client .* \| lmdb +\| .* yes /u);
  expect(both).toContain('0 after the kill, 0 after the 410 on lmdb');
  expect(both).toContain('3 after the kill, 0 after the 410 on kube-apiserver');
  expect(both).toContain('**Failed** on kube-apiserver: cut (cache all). late');
  expect(interopPage(clients, { runs: [real], notRun: [] })).toMatch(/Good client .* not run/u);
});

it('says what a client does not offer, also where it offers a part', () => {
  const part = [
    { step: 'list', part: 'all', outcome: 'passed', text: '' },
    { step: 'list', part: 'exact', outcome: 'not offered', text: 'it has no versions' },
  ] as const;
  expect(interopPage(clients, { runs: [run('good', ...part)], notRun: [] })).toMatch(/Good client .* part /u);
  expect(page).toContain('Not offered: bookmark. It hides them.');
});

it('never shows a client that was not run as passed', () => {
  expect(rowOf('Absent client')).toContain('not run');
  expect(rowOf('Absent client')).not.toContain('yes');
  expect(page).toContain('Not run: cargo is not on this machine.');
});

it('is what docs/interop.md has: the last run of every client', () => {
  expect(interopPage(CLIENTS, JSON.parse(read('../results.json')))).toBe(read('../../docs/interop.md'));
});
