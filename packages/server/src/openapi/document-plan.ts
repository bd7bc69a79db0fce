/** Which documents there are, and what is in each. */

import { groupVersionPath } from '@listwatch/api';
import type { KindData } from '@listwatch/kinds/data';
import type { SchemaSet, TypeName } from '@listwatch/schema';
import type { ApiPath } from './api-operation.ts';
import { CUSTOM_DOCUMENT_TYPES, type PublishedCustomKind } from './custom-paths.ts';
import { groupPath, OTHER_PATHS, ROOT_PATHS, resourcesPath } from './document-paths.ts';
import { type DescribedKind, kindPaths } from './kind-paths.ts';

/** Some paths of a document: as many as are described in one turn of the event loop. */
export type PathMaker = (set: SchemaSet) => readonly ApiPath[];

/** A document that can be made. */
export interface DocumentPlan {
  /** The groups and versions that it describes. */
  readonly versions: readonly Pick<KindData, 'group' | 'version'>[];
  /** The types whose schemas must be loaded. */
  readonly types: readonly TypeName[];
  readonly makers: readonly PathMaker[];
  /** The custom kinds that it describes. Default: none. */
  readonly customs?: readonly PublishedCustomKind[];
}

/** What is published of a version of a custom group. */
export interface CustomDocument {
  /** Another one whenever the document is another one; the document need not be made for it. */
  readonly hash: string;
  readonly kinds: readonly PublishedCustomKind[];
}

/** The document of a version of a custom group. */
export function customPlan({ kinds }: CustomDocument): DocumentPlan {
  const versions = kinds.slice(0, 1).map(({ data: { group, version } }) => ({ group, version }));
  return { versions, types: CUSTOM_DOCUMENT_TYPES, makers: [], customs: kinds };
}

/** The documents of version 3 by their paths below `/openapi/v3/`, in order. */
export function documentPlans(kinds: readonly DescribedKind[]): ReadonlyMap<string, DocumentPlan> {
  const plans = new Map<string, DocumentPlan>();
  for (const path of [...ROOT_PATHS, ...OTHER_PATHS]) plans.set(nameOf(path.path), staticPlan(path));
  for (const group of new Set(kinds.map(({ data }) => data.group))) {
    if (group !== '') plans.set(`apis/${group}`, staticPlan(groupPath(group)));
  }
  for (const described of kinds) {
    const { group, version } = described.data;
    const name = nameOf(groupVersionPath(described.data));
    const known = plans.get(name) ?? {
      ...staticPlan(resourcesPath(described.data)),
      versions: [{ group, version }],
    };
    plans.set(name, {
      ...known,
      types: [...known.types, ...typesOf(described.data)],
      makers: [...known.makers, (set) => kindPaths(set, described)],
    });
  }
  return new Map([...plans].toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

/** The one document of version 2: all of them together. */
export function wholePlan(plans: Iterable<DocumentPlan>): DocumentPlan {
  const all = [...plans];
  return {
    versions: all.flatMap(({ versions }) => versions),
    types: all.flatMap(({ types }) => types),
    makers: all.flatMap(({ makers }) => makers),
    customs: all.flatMap(({ customs = [] }) => customs),
  };
}

function staticPlan(path: ApiPath): DocumentPlan {
  const types = path.operations.flatMap(({ answer }) => (answer === 'string' ? [] : [answer]));
  return { versions: [], types, makers: [() => [path]] };
}

function typesOf({ type, subresources }: KindData): readonly TypeName[] {
  return [type, ...Object.values(subresources).map((one) => one.type)];
}

/** `apis/apps/v1` for `/apis/apps/v1/`. */
function nameOf(path: string): string {
  return path.replaceAll(/^\/|\/$/gu, '');
}
