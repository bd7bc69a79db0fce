/** The names of the objects of a model. */

import type { Thing } from './model-object.ts';

export const KEYS = ['a/1', 'a/2', 'a/3', 'b/1', 'b/2', 'c/1'] as const;

/** The thing that a part leads to: its size says which. */
export function linkedThing({ spec }: Thing): string {
  return KEYS[(spec?.size ?? 0) % KEYS.length] ?? KEYS[0];
}
