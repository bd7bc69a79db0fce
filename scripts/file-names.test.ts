import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Names that mean the same in every package: its doors. */
const DOORS: ReadonlySet<string> = new Set(['index.ts', 'internal.ts', 'node.ts']);

/** Two lists of steps that are meant to look alike: those of every request, and those of every write. */
const ALIKE: ReadonlySet<string> = new Set(['pipeline.ts']);

/** Files whose names are those of the groups of Kubernetes: the data of one, and its types. */
const GENERATED = join('packages', 'kinds', 'src', 'generated');

function sources(): readonly string[] {
  return ['packages', 'apps'].flatMap((area) =>
    readdirSync(join(root, area)).flatMap((name) => {
      const folder = join(root, area, name, 'src');
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
      return files
        .filter((file) => file.endsWith('.ts'))
        .map((file) => join(area, name, 'src', file))
        .filter((file) => !file.startsWith(GENERATED));
    }),
  );
}

it('one file name has one meaning in the whole tree', () => {
  const places = new Map<string, string[]>();
  for (const path of sources()) {
    if (!/\.(?:test|test-d|fixture)\.ts$/u.test(path))
      places.set(basename(path), [...(places.get(basename(path)) ?? []), path]);
  }
  expect(places.size).toBeGreaterThan(300);
  const shared = [...places].filter(([name, paths]) => paths.length > 1 && !DOORS.has(name) && !ALIKE.has(name));
  expect(shared).toEqual([]);
});
