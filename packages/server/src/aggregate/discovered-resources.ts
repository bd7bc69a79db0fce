/** What a backend says of its resources, with nothing in it that clients cannot read: one backend must not spoil the document of all. */

import { defined, isRecord, type JsonRecord, listOf, recordOf, recordsOf, textOf } from '@listwatch/api/values';

/** Resources and subresources of a version that are shown at most. */
const MAX_RESOURCES = 1000;

/** The resources of a version in the form of the one document of all. Members of another type than expected are left out. */
export function discoveredResources(resources: unknown): readonly object[] {
  return recordsOf(resources)
    .slice(0, MAX_RESOURCES)
    .flatMap((one) => (textOf(one['resource']) === '' ? [] : [resource(one)]));
}

function resource(one: JsonRecord): object {
  const subresources = recordsOf(one['subresources'])
    .slice(0, MAX_RESOURCES)
    .filter(({ subresource }) => textOf(subresource) !== '');
  return defined({
    resource: textOf(one['resource']),
    responseKind: kindOf(one['responseKind']),
    scope: one['scope'] === 'Namespaced' ? 'Namespaced' : 'Cluster',
    singularResource: textOf(one['singularResource']),
    verbs: textsOf(one['verbs']) ?? [],
    shortNames: textsOf(one['shortNames']),
    categories: textsOf(one['categories']),
    subresources: subresources.length === 0 ? undefined : subresources.map(shownSubresource),
  });
}

function shownSubresource(one: JsonRecord): object {
  return defined({
    subresource: textOf(one['subresource']),
    responseKind: kindOf(one['responseKind']),
    acceptedTypes: kindsOf(one['acceptedTypes']),
    verbs: textsOf(one['verbs']) ?? [],
  });
}

function kindOf(value: unknown): object | undefined {
  if (!isRecord(value)) return undefined;
  const { group, version, kind } = recordOf(value);
  return { group: textOf(group), version: textOf(version), kind: textOf(kind) };
}

function kindsOf(value: unknown): readonly object[] | undefined {
  const kinds = recordsOf(value).flatMap((one) => kindOf(one) ?? []);
  return kinds.length === 0 ? undefined : kinds;
}

function textsOf(value: unknown): readonly string[] | undefined {
  const texts = listOf(value).filter((one) => typeof one === 'string');
  return texts.length === 0 ? undefined : texts;
}
