/** Puts the tables into the guide, between comments that name them. */

import { readFileSync, writeFileSync } from 'node:fs';
import { exampleTable, followerTable, serverTable, unitCostTable } from './capacity-tables.ts';
import { knownUnitCosts } from './known-unit-costs.ts';

const GUIDE = new URL('../../docs/guide/scale.md', import.meta.url);

/** The guide as it is, and as it is with the tables of the kept unit costs. */
export function guideTexts(): { readonly now: string; readonly wanted: string } {
  const known = knownUnitCosts();
  const now = readFileSync(GUIDE, 'utf8');
  const wanted = [
    ['unit costs', unitCostTable(known)],
    ['followers', followerTable(known)],
    ['examples', exampleTable(known)],
    ['servers', serverTable(known)],
    ['measured', `Measured ${known.date} on ${known.machine}.`],
  ].reduce((text, [name = '', content = '']) => replaced(text, name, content), now);
  return { now, wanted };
}

/** Writes it. */
export function updateGuide(): void {
  writeFileSync(GUIDE, guideTexts().wanted);
}

function replaced(text: string, name: string, content: string): string {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`the guide has no place for "${name}"`);
  return `${text.slice(0, from)}${begin}\n\n${content}\n\n${text.slice(to)}`;
}
