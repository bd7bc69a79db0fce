/** Reads the documents of discovery. They come from any server, so that nothing in them is taken for granted. */

import type { ServedResource } from './served-resource.ts';

/** A group and a version of it. */
export interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

/** An aggregated document: everything below `/api` or `/apis` at once. Undefined when it is none. */
export function readAggregated(document: unknown): readonly ServedResource[] | undefined {
  if (field(document, 'kind') !== 'APIGroupDiscoveryList') return undefined;
  return list(document, 'items').flatMap((group) => {
    const name = text(field(group, 'metadata'), 'name');
    return list(group, 'versions').flatMap((version) =>
      list(version, 'resources').map((entry) => aggregatedEntry(entry, name, text(version, 'version'))),
    );
  });
}

/** The groups and versions of the old documents, `/api` and `/apis`; of each group the preferred version first. */
export function readGroupVersions(document: unknown): readonly GroupVersion[] {
  const core = list(document, 'versions').filter((version) => typeof version === 'string');
  if (core.length > 0) return core.map((version) => ({ group: '', version }));
  return list(document, 'groups').flatMap((group) => {
    const preferred = text(field(group, 'preferredVersion'), 'version');
    const versions = list(group, 'versions').map((version) => text(version, 'version'));
    const ordered = [preferred, ...versions.filter((version) => version !== preferred)];
    return ordered.filter((version) => version !== '').map((version) => ({ group: text(group, 'name'), version }));
  });
}

/** The old document of one group and version; subresources are left out. */
export function readResourceList(document: unknown, { group, version }: GroupVersion): readonly ServedResource[] {
  const entries = list(document, 'resources').filter((entry) => !text(entry, 'name').includes('/'));
  return entries.map((entry) => ({
    group,
    version,
    plural: text(entry, 'name'),
    kind: text(entry, 'kind'),
    namespaced: field(entry, 'namespaced') === true,
    singular: text(entry, 'singularName'),
    shortNames: texts(entry, 'shortNames'),
    verbs: texts(entry, 'verbs'),
  }));
}

function aggregatedEntry(entry: unknown, group: string, version: string): ServedResource {
  return {
    group,
    version,
    plural: text(entry, 'resource'),
    kind: text(field(entry, 'responseKind'), 'kind'),
    namespaced: text(entry, 'scope') === 'Namespaced',
    singular: text(entry, 'singularResource'),
    shortNames: texts(entry, 'shortNames'),
    verbs: texts(entry, 'verbs'),
  };
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
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
