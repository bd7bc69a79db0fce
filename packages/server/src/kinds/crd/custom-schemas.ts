/** The schema of one version of a custom kind, among those that it refers to. */

import { BUILT_IN_SCHEMAS, KindSchemas } from '@listwatch/kinds/schemas';
import type { CustomSchema, SchemaPackage, TypeName } from '@listwatch/schema';

const METADATA = 'meta/v1.ObjectMeta';

/** A set of its own: two definitions may have a type of the same name, one after the other. Needs the schema of metadata loaded. */
export function customSchemas(type: TypeName, { node }: CustomSchema): KindSchemas {
  const schemas = new KindSchemas();
  const dot = type.lastIndexOf('.');
  const meta = withImports(BUILT_IN_SCHEMAS.set.packageOf(METADATA), new Map());
  const own = { name: type.slice(0, dot), imports: [...meta.keys()], types: { [type.slice(dot + 1)]: node } };
  schemas.set.add([...meta.values(), own]);
  return schemas;
}

function withImports(
  one: SchemaPackage | undefined,
  found: Map<string, SchemaPackage>,
): ReadonlyMap<string, SchemaPackage> {
  if (one === undefined || found.has(one.name)) return found;
  found.set(one.name, one);
  for (const name of one.imports) withImports(BUILT_IN_SCHEMAS.set.package(name), found);
  return found;
}
