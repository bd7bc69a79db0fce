import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Names that two files export, and why a reader does not confuse them. Rename the less public one before you add a line. */
const SHARED: Readonly<Record<string, string>> = {
  Credentials: 'client: what a client sends; server: what a request brought. Neither package imports the other',
  DecodedObject: 'client: a part of its public decoder; server: the body of a write, used within write/ only',
  DeleteChange:
    'storage: one of the changes of a commit; runtime: one of the changes of a store. Both are public families',
  Duration: 'kinds: the name that Kubernetes gives to a scalar; storage: the option',
  Quantity: 'kinds: the name that Kubernetes gives to a scalar; api/values: the class that computes with it',
  WriteOptions: 'client: public options of a write; server: the same options as parsed from the query of a request',
  checkSelectors: 'the browser and the Node half of one door',
  configMap: 'rules: constants have the names of their kinds; conformance: a ConfigMap for a test',
  connect: 'the browser and the Node half of one door',
  endpoints: 'rules: constants have the names of their kinds; controllers: the resource',
  run: 'cli: the command, public; server: the stages of a write',
  warn: 'runtime: the answer of a webhook, public; cli: a finding of the doctor',
  webhooks: 'the half for every runtime and the Node half of one door',
  validate: 'rules: public; server: the stage of a write that calls it',
};

/** `export const a`, `export async function a`, `export interface A` ... */
const EXPORT =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type) +([A-Za-z_$][\w$]*)/gmu;

/** `export { a as b }`: a second name. */
const RENAMED_EXPORT = /^export (?:type )?\{[^}]*\}/gmu;
const SECOND_NAME = /\bas (\w+)/gu;

/** The names that a file gives to what it exports. Names that it only passes on are those of another file. */
function exportedNames(text: string): readonly string[] {
  const passedOn = [...text.matchAll(RENAMED_EXPORT)].flatMap(([block]) => [...block.matchAll(SECOND_NAME)]);
  return [...text.matchAll(EXPORT), ...passedOn].map(([, name = '']) => name);
}

/** All but tests and what tools/kinds has written: that has the names of Kubernetes. */
function sources(): readonly string[] {
  return ['packages', 'apps'].flatMap((area) =>
    readdirSync(join(root, area)).flatMap((name) =>
      readdirSync(join(root, area, name))
        .filter((part) => part === 'src' || part === 'page')
        .flatMap((part) =>
          readdirSync(join(root, area, name, part), { recursive: true, encoding: 'utf8' })
            .filter((file) => /\.tsx?$/u.test(file) && !/\.(?:test|test-d|fixture)\.tsx?$/u.test(file))
            .filter((file) => !/(?:^|\/)(?:node_modules|dist|generated)\//u.test(file))
            .map((file) => join(area, name, part, file)),
        ),
    ),
  );
}

it('an exported name has one meaning in the whole workspace: only these are exported by two files', () => {
  const places = new Map<string, Set<string>>();
  for (const path of sources()) {
    for (const name of exportedNames(readFileSync(join(root, path), 'utf8')))
      places.set(name, (places.get(name) ?? new Set()).add(path));
  }
  expect(places.size).toBeGreaterThan(4000);
  const shared = [...places].filter(([, paths]) => paths.size > 1);
  expect(shared.filter(([name]) => !Object.hasOwn(SHARED, name)).map(([name, paths]) => [name, ...paths])).toEqual([]);
  const names = new Set(shared.map(([name]) => name));
  expect(Object.keys(SHARED).filter((name) => !names.has(name))).toEqual([]);
});
