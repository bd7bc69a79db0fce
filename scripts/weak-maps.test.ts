import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * The files with a WeakMap of the whole module, and why. A fact about an object is a field of its type: there the reader finds it, and
 * the compiler knows that it may be absent. By name, for files move.
 */
const MODULE_WIDE: Readonly<Record<string, string>> = {
  'apply-object.ts': "transports are the user's own, and several clusters may share one",
  'cel-map.ts': 'JSON has no place for what is known of it, and each access to it makes another view',
  'drained-stream.ts': "streams are Node's, and several tests wait for one",
  'json-memo.ts': 'definitions and schemas are JSON that strangers wrote: they have no place for what is compiled',
  'mounted-connection.ts': "sockets are the host's, and several listeners may be mounted on its server",
  'object-shape.ts': 'numbers contexts and types for the keys of one cache for all kinds',
  'on-abort.ts': "signals are the user's, and many waits share one listener",
  'stored-object.ts': "rules define the built-in kinds and know nothing of bytes: the layout is the server's",
  'streaming-support.ts': "clusters are the user's, and all watchers of one share what was learned",
};

const WEAK = /^(?:export )?(?:const|let) .*= new Weak(?:Map|Set)\b/mu;

function sources(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/u.test(name) && !/\.(?:test|test-d|fixture)\.tsx?$/u.test(name))
    .filter((name) => !/(?:^|\/)(?:node_modules|dist|generated)\//u.test(name))
    .map((name) => join(folder, name));
}

const folders = ['packages', 'apps'].flatMap((top) =>
  readdirSync(join(root, top)).flatMap((name) =>
    readdirSync(join(root, top, name))
      .filter((part) => part === 'src' || part === 'page')
      .map((part) => join(top, name, part)),
  ),
);

it('facts about objects are fields of their types: only these files have a WeakMap of the whole module', () => {
  const found = folders.flatMap(sources).filter((path) => WEAK.test(readFileSync(join(root, path), 'utf8')));
  expect(found.filter((path) => !Object.hasOwn(MODULE_WIDE, basename(path)))).toEqual([]);
  const names = new Set(found.map((path) => basename(path)));
  expect(Object.keys(MODULE_WIDE).filter((name) => !names.has(name))).toEqual([]);
});
