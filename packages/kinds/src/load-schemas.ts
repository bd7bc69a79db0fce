/** Loads schemas of built-in types, each package when it is first needed. */

import { type SchemaPackage, SchemaSet } from '@listwatch/schema';
import { SCHEMA_LOADERS } from './generated/schema-loaders.ts';

/** The names of all packages of schemas: `core/v1`, `meta/v1`, ... */
export const SCHEMA_PACKAGES: readonly string[] = Object.freeze(Object.keys(SCHEMA_LOADERS));

/**
 * The schemas of these packages and of all that they refer to. Without names: all. Throws a RangeError for an unknown name.
 *
 * @example
 * const schemas = await loadSchemas(['apps/v1']);
 * schemas.at('apps/v1.Deployment', ['spec', 'replicas']); // { type: 'int32', pointer: true, number: 1 }
 */
export async function loadSchemas(names: readonly string[] = SCHEMA_PACKAGES): Promise<SchemaSet> {
  return new SchemaSet(await loadPackages(names));
}

/** The same as packages, for a set that has others already. */
export async function loadPackages(names: readonly string[]): Promise<readonly SchemaPackage[]> {
  const found = new Map<string, SchemaPackage>();
  let wanted = new Set(names);
  while (wanted.size > 0) {
    const packages = await Promise.all([...wanted].map(loadPackage));
    for (const one of packages) found.set(one.name, one);
    wanted = new Set(packages.flatMap(({ imports }) => imports).filter((name) => !found.has(name)));
  }
  return [...found.values()];
}

function loadPackage(name: string): Promise<SchemaPackage> {
  const load = Object.hasOwn(SCHEMA_LOADERS, name) ? SCHEMA_LOADERS[name] : undefined;
  if (load === undefined)
    throw new RangeError(`there are no schemas of ${name}; known are ${SCHEMA_PACKAGES.join(', ')}`);
  return load();
}
