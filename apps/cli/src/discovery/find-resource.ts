/** Finds the resource that the user means. */

import { apiVersionOf, groupResourceText } from '@listwatch/api';
import type { DiscoveryFailure, ServedResource } from '@listwatch/client';
import { type NamedResource, parseResourceName, RESOURCE_FORMS, resourceMatches } from '@listwatch/client/internal';
import { similarWords } from './similar-words.ts';

/** What was found, or why nothing was: one sentence. */
export type FoundResource =
  | { readonly type: 'found'; readonly served: ServedResource; readonly object?: string | undefined }
  | { readonly type: 'unknown'; readonly message: string };

/** Looks `text` up in what a server serves, in its order: the core group wins, and a group's preferred version. */
export function findResource(
  text: string,
  all: readonly ServedResource[],
  failures: readonly DiscoveryFailure[] = [],
): FoundResource {
  const named = parseResourceName(text);
  if (named === undefined) {
    return { type: 'unknown', message: `${JSON.stringify(text)} is not ${RESOURCE_FORMS}` };
  }
  const matches = named.readings.flatMap((reading) => resourceMatches(reading, all));
  const served = matches.find(isWatchable);
  if (served !== undefined) return { type: 'found', served, object: named.object };
  const [mute] = matches;
  if (mute !== undefined)
    return { type: 'unknown', message: `${groupResourceText(mute)} cannot be watched: ${verbsOf(mute)}` };
  return { type: 'unknown', message: unknownMessage(named, text, all) + missingText(failures) };
}

/** Can it be listed and watched? */
export function isWatchable({ verbs }: ServedResource): boolean {
  return verbs.includes('list') && verbs.includes('watch');
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
  const names = [...new Set(watchable.map(groupResourceText))];
  const more = names.length > SHOWN ? `, and ${names.length - SHOWN} more` : '';
  return names.length === 0
    ? `${start}, nor any other that can be watched`
    : `${start}; it has ${names.slice(0, SHOWN).join(', ')}${more}`;
}

/** The resource may be one of those that could not be discovered. */
function missingText(failures: readonly DiscoveryFailure[]): string {
  const [first] = failures;
  if (first === undefined) return '';
  const names = failures.map(apiVersionOf);
  const more = names.length > SHOWN ? `, and ${names.length - SHOWN} more` : '';
  const why = first.error instanceof Error ? first.error.message : String(first.error);
  return `; could not discover ${names.slice(0, SHOWN).join(', ')}${more}: ${why}`;
}

/** Each word for a resource, with the name to suggest for it. */
function wordsOf(served: ServedResource): readonly (readonly [string, string])[] {
  const words = [served.plural, served.singular, served.kind.toLowerCase(), ...served.shortNames];
  return words.filter((word) => word !== '').map((word) => [word, groupResourceText(served)] as const);
}
