/** The unit costs that were measured last, kept in a file beside this one. */

import { readFileSync, writeFileSync } from 'node:fs';
import type { UnitCosts } from './unit-costs.ts';

/** Those of each engine, and where they come from. */
export interface KnownUnitCosts {
  readonly date: string;
  readonly machine: string;
  readonly lmdb: UnitCosts;
  readonly etcd: UnitCosts;
}

const FILE = new URL('unit-costs.json', import.meta.url);

/** Reads them. */
export function knownUnitCosts(): KnownUnitCosts {
  return JSON.parse(readFileSync(FILE, 'utf8'));
}

/** Replaces them. */
export function keepUnitCosts(costs: KnownUnitCosts): void {
  writeFileSync(FILE, `${JSON.stringify(costs, rounded, 2)}\n`);
}

function rounded(_: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(3)) : value;
}
