import { readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publicPackages } from '../bundle.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface ShippedDependency {
  readonly name: string;
  readonly version: string;
  /** As its manifest says it, an SPDX expression. Empty if it says nothing. */
  readonly license: string;
}

interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly link?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** Everything of other people that an installation of all public packages brings along, from the lock file. */
export function shippedDependencies(): readonly ShippedDependency[] {
  const lock: { readonly packages: Readonly<Record<string, LockedPackage>> } = JSON.parse(
    readFileSync(join(root, 'package-lock.json'), 'utf8'),
  );
  const { packages } = lock;
  const found = new Map<string, ShippedDependency>();
  const visit = (name: string, from: string): void => {
    const place = placeOf(packages, name, from);
    // A binary for another platform may be missing from the lock file of an old npm.
    if (place === undefined || found.has(place) || packages[place]?.link === true) return;
    const { version = '', license = '', ...locked } = packages[place] ?? {};
    found.set(place, { name, version, license });
    for (const next of namesOf(locked)) visit(next, place);
  };
  for (const { folder, manifest } of publicPackages()) {
    for (const name of namesOf(manifest)) visit(name, relative(root, folder).split(sep).join('/'));
  }
  return [...found.values()].toSorted((a, b) => (`${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1));
}

function namesOf({ dependencies = {}, optionalDependencies = {} }: LockedPackage): readonly string[] {
  return [...Object.keys(dependencies), ...Object.keys(optionalDependencies)];
}

/** Where Node finds a package: in the nearest `node_modules`. */
function placeOf(packages: Readonly<Record<string, LockedPackage>>, name: string, from: string): string | undefined {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules/') - 1))) {
    const place = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`;
    if (packages[place] !== undefined) return place;
    if (at === '') return undefined;
  }
}
