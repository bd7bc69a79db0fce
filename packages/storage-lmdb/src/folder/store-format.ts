/** What is written into a store so that later versions know what they have before them. */

import { StorageError } from '@listwatch/storage';
import type { Tables } from '../tables.ts';

/** Raised whenever a table changes its meaning. */
export const FORMAT_VERSION = 1;

/** What stands in the file. */
interface StoreFormat {
  readonly product: 'listwatch';
  readonly version: number;
}

/**
 * How a store of an older version becomes one of the next: from the version given to the one after it. Empty while
 * there has been one version only.
 */
const UPGRADES: ReadonlyMap<number, (tables: Tables) => void> = new Map();

/** Marks a new store. */
export function writeFormat(tables: Tables): void {
  tables.facts.putSync('format', { product: 'listwatch', version: FORMAT_VERSION } satisfies StoreFormat);
}

/** Throws `INCOMPATIBLE` unless `format` is that of a store that this version can read, perhaps after an upgrade. */
export function requireFormat(format: unknown, folder: string): StoreFormat {
  if (!isStoreFormat(format)) throw incompatible(folder, 'is not a listwatch store');
  if (format.version > FORMAT_VERSION) {
    const known = `this version reads formats up to ${FORMAT_VERSION}`;
    throw incompatible(folder, `has format ${format.version}, written by a newer listwatch; ${known}`);
  }
  return format;
}

/** Marks a new store, brings an older one up to date, refuses any other with `INCOMPATIBLE`. */
export function checkFormat(tables: Tables, folder: string): void {
  const fact = tables.facts.get('format');
  if (fact === undefined && isEmpty(tables)) {
    writeFormat(tables);
    return;
  }
  const format = requireFormat(fact, folder);
  for (let version = format.version; version < FORMAT_VERSION; version += 1) {
    const upgrade = UPGRADES.get(version);
    if (upgrade === undefined) throw incompatible(folder, `has format ${version}, which this listwatch cannot read`);
    upgrade(tables);
    tables.facts.putSync('format', { product: 'listwatch', version: version + 1 } satisfies StoreFormat);
  }
}

function isEmpty(tables: Tables): boolean {
  return tables.log.last() === undefined && tables.facts.get('compacted') === undefined;
}

function isStoreFormat(value: unknown): value is StoreFormat {
  if (typeof value !== 'object' || value === null) return false;
  return 'product' in value && value.product === 'listwatch' && 'version' in value && Number.isInteger(value.version);
}

function incompatible(folder: string, text: string): StorageError {
  return new StorageError('INCOMPATIBLE', `the store in ${folder} ${text}`);
}
