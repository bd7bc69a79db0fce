import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const FOLDER = new URL('../docs/design/', import.meta.url);
const notes = readdirSync(FOLDER).filter((name) => /^\d{4}-.*\.md$/u.test(name));
const index = readFileSync(new URL('README.md', FOLDER), 'utf8');

/** A reader must know from the start whether a note still holds, and where to go on reading if it does not. */
const STATUS = /^\d{4}-\d{2}-\d{2}\. (?:In force\b|Decided\b|Replaced\b.*\]\(\d{4}-[\w-]+\.md\))/u;

describe('design notes', () => {
  it.each(notes)('%s has its number in the title, its status in the second line and a row in the index', (name) => {
    const [title = '', blank, status = ''] = readFileSync(new URL(name, FOLDER), 'utf8').split('\n');
    const number = name.slice(0, 4);
    expect(title).toMatch(new RegExp(`^# ${number}: `, 'u'));
    expect(blank).toBe('');
    expect(status).toMatch(STATUS);
    const row = index.split('\n').find((line) => line.startsWith(`| [${number}](${name})`));
    expect(row?.split('|')[2]?.trim()).toBe(title.slice(`# ${number}: `.length));
  });

  it('are listed once, in the order of their numbers', () => {
    const rows = [...index.matchAll(/^\| \[(\d{4})\]/gmu)].map(([, number]) => number);
    expect(rows).toEqual(notes.map((name) => name.slice(0, 4)).toSorted());
  });
});

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Source files of the workspace: a note may shorten their paths, from any folder on. */
const sources = ['apps', 'bench', 'examples', 'interop', 'packages', 'scripts', 'tools'].flatMap((area) =>
  readdirSync(join(ROOT, area), { recursive: true, encoding: 'utf8' })
    .filter((path) => !/(?:^|\/)(?:node_modules|dist)\//u.test(path))
    .map((path) => `/${area}/${path}`),
);

it('the sources that design notes name are there: a reader opens them', () => {
  const missing = [...notes, 'README.md'].flatMap((name) => {
    const named = readFileSync(new URL(name, FOLDER), 'utf8').matchAll(/`([\w@./-]+\.(?:ts|tsx|mjs|mts))`/gu);
    return Array.from(named, ([, path = '']) => path)
      .filter((path) => !sources.some((one) => one.endsWith(`/${path}`)))
      .map((path) => `${name}: ${path}`);
  });
  expect(missing).toEqual([]);
});
