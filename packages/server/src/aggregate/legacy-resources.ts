/** The resources of a backend that knows only the older form of discovery, in the form of the one document of all. */

import { defined, type JsonRecord, listOf, recordsOf, textOf } from '@listwatch/api/values';

/** Converts an APIResourceList. */
export function aggregatedResources(list: JsonRecord): readonly object[] {
  const resources = new Map<string, Record<string, unknown>>();
  for (const entry of recordsOf(list['resources'])) {
    const [name = '', ...rest] = textOf(entry['name']).split('/');
    const own = {
      // Left empty where the list says nothing.
      responseKind: {
        group: textOf(entry['group']),
        version: textOf(entry['version']),
        kind: textOf(entry['kind']),
      },
      verbs: listOf(entry['verbs']),
    };
    const scope = entry['namespaced'] === true ? 'Namespaced' : 'Cluster';
    if (rest.length === 0) {
      const { subresources } = resources.get(name) ?? {};
      resources.set(
        name,
        defined({
          resource: name,
          responseKind: own.responseKind,
          scope,
          singularResource: textOf(entry['singularName']),
          verbs: own.verbs,
          shortNames: entry['shortNames'],
          categories: entry['categories'],
          subresources,
        }),
      );
      continue;
    }
    const parent = resources.get(name) ?? { resource: name, scope, singularResource: '', verbs: [] };
    resources.set(name, {
      ...parent,
      subresources: [...listOf(parent['subresources']), { subresource: rest.join('/'), ...own }],
    });
  }
  return [...resources.values()];
}
