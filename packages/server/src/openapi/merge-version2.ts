/** Adds the OpenAPI documents of backends to the one of this server. */

import { isRecord, type JsonRecord, recordOf, sameJson } from '@listwatch/api/values';

/** The document of a backend. */
export interface RemoteDocument {
  readonly hash: string;
  /** Only paths below this one are taken, with the definitions that they refer to. */
  readonly prefix: string;
  readonly document: JsonRecord;
}

const DEFINITION = '#/definitions/';

/** The paths of this server win. A definition of the same name and another content is renamed: `_v2`, `_v3`. */
export function mergeVersion2(document: JsonRecord, remotes: readonly RemoteDocument[]): JsonRecord {
  if (remotes.length === 0) return document;
  const paths: Record<string, unknown> = { ...recordOf(document['paths']) };
  const definitions: Record<string, unknown> = { ...recordOf(document['definitions']) };
  for (const { prefix, document: remote } of remotes) {
    const added = Object.entries(recordOf(remote['paths'])).filter(
      ([path]) => (path === prefix || path.startsWith(prefix)) && !Object.hasOwn(paths, path),
    );
    const names = new Map<string, string>();
    const own = recordOf(remote['definitions']);
    for (const name of referred(Object.fromEntries(added), own))
      names.set(name, freeName(definitions, name, own[name]));
    for (const [name, as] of names) definitions[as] ??= renamed(own[name], names);
    for (const [path, operations] of added) paths[path] = renamed(operations, names);
  }
  return { ...document, paths: Object.fromEntries(Object.entries(paths).toSorted(byName)), definitions };
}

function byName([left]: [string, unknown], [right]: [string, unknown]): number {
  return left < right ? -1 : 1;
}

/** The definitions that are used, and those that they use. */
export function referred(paths: unknown, definitions: JsonRecord): ReadonlySet<string> {
  const found = new Set<string>();
  const waiting: unknown[] = [paths];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (Array.isArray(value)) waiting.push(...value);
    else if (isRecord(value)) {
      for (const [key, member] of Object.entries(value)) {
        const name = key === '$ref' ? nameIn(member) : undefined;
        if (name === undefined) waiting.push(member);
        else if (!found.has(name) && Object.hasOwn(definitions, name)) {
          found.add(name);
          waiting.push(definitions[name]);
        }
      }
    }
  }
  return found;
}

function nameIn(ref: unknown): string | undefined {
  return typeof ref === 'string' && ref.startsWith(DEFINITION) ? ref.slice(DEFINITION.length) : undefined;
}

/** The name itself when it is free or stands for the same. Descriptions do not count: this server writes its own. */
function freeName(definitions: JsonRecord, name: string, definition: unknown): string {
  const isFree = (candidate: string): boolean =>
    !Object.hasOwn(definitions, candidate) || sameJson(withoutTexts(definitions[candidate]), withoutTexts(definition));
  if (isFree(name)) return name;
  for (let number = 2; ; number += 1) if (isFree(`${name}_v${number}`)) return `${name}_v${number}`;
}

function withoutTexts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTexts);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, member]) => key !== 'description' || typeof member !== 'string')
      .map(([key, member]) => [key, withoutTexts(member)]),
  );
}

function renamed(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, names));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const name = key === '$ref' ? nameIn(member) : undefined;
      return [key, name === undefined ? renamed(member, names) : `${DEFINITION}${names.get(name) ?? name}`];
    }),
  );
}
