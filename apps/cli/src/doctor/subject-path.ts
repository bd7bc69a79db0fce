/** Paths of requests for the probed collection. */

import { resourcePath } from '@listwatch/api';
import type { ProbedCollection } from './facts.ts';

/** Selects nothing, so that a watch with it is quiet and cheap. */
export const NOTHING = 'metadata.name=listwatch-doctor-nothing';

/** The path of the collection with these parameters. */
export function subjectPath(
  { resource, namespace }: ProbedCollection,
  query: Readonly<Record<string, string>> = {},
): string {
  const text = new URLSearchParams(query).toString();
  return `${resourcePath(resource, { namespace })}${text === '' ? '' : `?${text}`}`;
}
