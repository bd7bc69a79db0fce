import { readdirSync, readFileSync } from 'node:fs';
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
