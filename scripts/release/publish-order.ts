import type { PublicPackage } from '../bundle.mjs';

/** Dependencies before what needs them: whoever installs in the middle of a release finds everything. */
export function publishOrder<T extends { readonly name: string }>(
  packed: readonly T[],
  packages: readonly PublicPackage[],
): readonly T[] {
  const dependencies = new Map(packages.map(({ name, manifest }) => [name, Object.keys(manifest.dependencies ?? {})]));
  const ordered = new Set<string>();
  const visit = (name: string): void => {
    if (ordered.has(name)) return;
    for (const next of dependencies.get(name) ?? []) if (dependencies.has(next)) visit(next);
    ordered.add(name);
  };
  for (const { name } of packed) visit(name);
  const places = [...ordered];
  return packed.toSorted((a, b) => places.indexOf(a.name) - places.indexOf(b.name));
}
