/** Finds the resource that the user means. */

import { type NamedResource, parseResourceName, RESOURCE_FORMS, type ResourceName } from './resource-name.ts';
import { isWatchable, type ServedResource, servedName } from './served-resource.ts';
import { similarWords } from './similar-words.ts';

/** What was found, or why nothing was: one sentence. */
export type FoundResource =
  | { readonly type: 'found'; readonly served: ServedResource; readonly object?: string | undefined }
  | { readonly type: 'unknown'; readonly message: string };

/** How a word can name a resource, the surest first: a kind that is called as another's short name must not win over it. */
const WAYS: readonly ((served: ServedResource, word: string) => boolean)[] = [
  ({ plural }, word) => plural === word,
  ({ singular, kind }, word) => singular === word || kind.toLowerCase() === word,
  ({ shortNames }, word) => shortNames.includes(word),
];

/** Looks `text` up in what a server serves, in its order: the core group wins, and a group's preferred version. */
export function findResource(text: string, all: readonly ServedResource[]): FoundResource {
  const named = parseResourceName(text);
  if (named === undefined) {
    return { type: 'unknown', message: `${JSON.stringify(text)} is not ${RESOURCE_FORMS}` };
  }
  const matches = named.readings.flatMap((reading) => matchesOf(reading, all));
  const served = matches.find(isWatchable);
  if (served !== undefined) return { type: 'found', served, object: named.object };
  const [mute] = matches;
  if (mute !== undefined)
    return { type: 'unknown', message: `${servedName(mute)} cannot be watched: ${verbsOf(mute)}` };
  return { type: 'unknown', message: unknownMessage(named, text, all) };
}

function matchesOf({ word, group, version }: ResourceName, all: readonly ServedResource[]): readonly ServedResource[] {
  const inVersion = all.filter((served) => version === undefined || served.version === version);
  const exact = inVersion.filter((served) => group === undefined || served.group === group);
  // As kubectl: the beginning of a group will do, such as `leases.coordination`.
  const among =
    exact.length === 0 && group !== undefined && group !== ''
      ? inVersion.filter((served) => served.group.startsWith(group))
      : exact;
  const lower = word.toLowerCase();
  return WAYS.flatMap((matches) => among.filter((served) => matches(served, lower)));
}

function verbsOf({ verbs }: ServedResource): string {
  return verbs.length === 0 ? 'the server allows no verb on it' : `the server only allows ${verbs.join(', ')}`;
}

const SHOWN = 12;

function unknownMessage({ readings }: NamedResource, text: string, all: readonly ServedResource[]): string {
  const start = `the server has no resource ${JSON.stringify(text)}`;
  const watchable = all.filter(isWatchable);
  const close = similarWords(readings[0]?.word.toLowerCase() ?? '', new Map(watchable.flatMap(wordsOf)));
  if (close.length > 0) return `${start}; did you mean ${close.join(' or ')}?`;
  const names = [...new Set(watchable.map(servedName))];
  const more = names.length > SHOWN ? `, and ${names.length - SHOWN} more` : '';
  return names.length === 0
    ? `${start}, nor any other that can be watched`
    : `${start}; it has ${names.slice(0, SHOWN).join(', ')}${more}`;
}

/** Each word for a resource, with the name to suggest for it. */
function wordsOf(served: ServedResource): readonly (readonly [string, string])[] {
  const words = [served.plural, served.singular, served.kind.toLowerCase(), ...served.shortNames];
  return words.filter((word) => word !== '').map((word) => [word, servedName(served)] as const);
}
