import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { RELAY_METRICS } from './relay-metrics.ts';

const GUIDE = new URL('../../../../docs/guide/relay.md', import.meta.url);

it('the guide lists every metric, with its type and its labels', () => {
  const rows = readFileSync(GUIDE, 'utf8').matchAll(/^\| `(listwatch_relay_\w+)` +\| (\w+) +\| ([a-z, ]*?) +\| \w/gmu);
  const listed = [...rows].map(([, name, type, labels]) => [name, { type, labels }] as const);
  const metrics = RELAY_METRICS.map(({ name, type, labels }) => [name, { type, labels: labels.join(', ') }] as const);
  expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(metrics));
});
