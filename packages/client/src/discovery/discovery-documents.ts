/** Reads the documents of discovery. They come from any server, so nothing in them is taken for granted. */

import { apiVersionOf } from '@listwatch/api';
import { isRecord } from '@listwatch/api/values';
import type { ServedResource, ServedSubresource } from './served-resource.ts';

/** A group and a version of it. */
export interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

/** What an aggregated document says. */
export interface AggregatedDocument {
  readonly resources: readonly ServedResource[];
  /** Versions whose own server could not be reached; what is listed of them may be old. */
  readonly stale: readonly GroupVersion[];
}

/** An aggregated document: everything below `/api` or `/apis` at once. Undefined when it is none. */
export function readAggregated(document: unknown): AggregatedDocument | undefined {
  if (field(document, 'kind') !== 'APIGroupDiscoveryList') return undefined;
  const versions = list(document, 'items').flatMap((item) => {
    const group = text(field(item, 'metadata'), 'name');
    return list(item, 'versions').map((entry) => ({ entry, at: { group, version: text(entry, 'version') } }));
  });
  const usable = versions.filter(({ at }) => isUsable(at));
  return {
    resources: usable.flatMap(({ entry, at }) => list(entry, 'resources').flatMap((each) => aggregatedEntry(each, at))),
    stale: usable.filter(({ entry }) => text(entry, 'freshness') === 'Stale').map(({ at }) => at),
  };
}

/** The groups and versions of the old documents, `/api` and `/apis`; of each group the preferred version first. */
export function readGroupVersions(document: unknown): readonly GroupVersion[] {
  const core = texts(document, 'versions').map((version) => ({ group: '', version }));
  const others = list(document, 'groups').flatMap((item) => {
    const preferred = text(field(item, 'preferredVersion'), 'version');
    const versions = list(item, 'versions').map((version) => text(version, 'version'));
    const ordered = [preferred, ...versions.filter((version) => version !== preferred)];
    return ordered.map((version) => ({ group: text(item, 'name'), version }));
  });
  return distinct([...core, ...others].filter(isUsable), apiVersionOf);
}

/** The old document of one group and version. */
export function readResourceList(document: unknown, at: GroupVersion): readonly ServedResource[] {
  const entries = list(document, 'resources').map((entry) => ({ entry, path: text(entry, 'name').split('/') }));
  const subresources = new Map<string, ServedSubresource[]>();
  for (const { entry, path } of entries) {
    const [plural = '', ...name] = path;
    if (name.length === 0) continue;
    const sub = plainSubresource(entry, name.join('/'), at);
    const known = subresources.get(plural);
    if (known === undefined) subresources.set(plural, [sub]);
    else known.push(sub);
  }
  return entries
    .filter(({ path }) => path.length === 1)
    .map(({ entry, path: [plural = ''] }) => ({
      ...at,
      plural,
      kind: text(entry, 'kind'),
      namespaced: field(entry, 'namespaced') === true,
      ...commonParts(entry),
      singular: text(entry, 'singularName'),
      subresources: subresources.get(plural) ?? [],
    }))
    .filter(isServed);
}

/** Of each resource the first version is the preferred one: that is their order in the documents. */
export function withPreferred(all: readonly ServedResource[]): readonly ServedResource[] {
  const seen = new Set<string>();
  return all.map((served) => {
    const name = `${served.plural}.${served.group}`;
    const isPreferred = !seen.has(name);
    seen.add(name);
    return { ...served, isPreferred };
  });
}

function aggregatedEntry(entry: unknown, at: GroupVersion): readonly ServedResource[] {
  const served = {
    ...at,
    plural: text(entry, 'resource'),
    kind: text(field(entry, 'responseKind'), 'kind'),
    namespaced: text(entry, 'scope') === 'Namespaced',
    ...commonParts(entry),
    singular: text(entry, 'singularResource'),
    subresources: list(entry, 'subresources').map((sub) => aggregatedSubresource(sub, at)),
  };
  return isServed(served) ? [served] : [];
}

function aggregatedSubresource(entry: unknown, at: GroupVersion): ServedSubresource {
  const kind = field(entry, 'responseKind');
  const own = { group: text(kind, 'group'), version: text(kind, 'version') };
  const name = text(entry, 'subresource');
  return { name, ...(own.version === '' ? at : own), kind: text(kind, 'kind'), verbs: texts(entry, 'verbs') };
}

/** Group and version are there only when they differ from those of the document. */
function plainSubresource(entry: unknown, name: string, at: GroupVersion): ServedSubresource {
  const version = text(entry, 'version');
  const own = version === '' ? at : { group: text(entry, 'group'), version };
  return { name, ...own, kind: text(entry, 'kind'), verbs: texts(entry, 'verbs') };
}

function commonParts(entry: unknown): Pick<ServedResource, 'categories' | 'isPreferred' | 'shortNames' | 'verbs'> {
  return {
    shortNames: texts(entry, 'shortNames'),
    categories: texts(entry, 'categories'),
    verbs: texts(entry, 'verbs'),
    isPreferred: false,
  };
}

/** These become parts of paths: a `..` in one would lead to another resource. */
const SEGMENT = /^[A-Za-z0-9](?:[-.A-Za-z0-9]{0,251}[A-Za-z0-9])?$/u;

function isUsable({ group, version }: GroupVersion): boolean {
  return (group === '' || SEGMENT.test(group)) && SEGMENT.test(version);
}

function isServed({ plural, kind }: ServedResource): boolean {
  return SEGMENT.test(plural) && kind !== '';
}

function distinct<T>(values: readonly T[], keyOf: (value: T) => string): readonly T[] {
  return [...new Map(values.map((value) => [keyOf(value), value])).values()];
}

function field(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function list(value: unknown, name: string): readonly unknown[] {
  const found = field(value, name);
  return Array.isArray(found) ? found : [];
}

function text(value: unknown, name: string): string {
  const found = field(value, name);
  return typeof found === 'string' ? found : '';
}

function texts(value: unknown, name: string): readonly string[] {
  return list(value, name).filter((item) => typeof item === 'string');
}
