/** Finds the default class, such as the StorageClass for claims without a class. */

import type { KubeObject } from '../kube-object.ts';
import type { ObjectReader } from './admission-plugin.ts';

/**
 * The name of the class that an annotation marks as the default. Of several, the newest wins, then the first by name.
 * Caches the result until a class changes.
 */
export function defaultClassName(classes: ObjectReader, annotations: readonly string[]): () => string | undefined {
  let seen: readonly KubeObject[] | undefined;
  let found: string | undefined;
  return () => {
    const all = classes.list('');
    if (all === seen) return found;
    seen = all;
    const marked = all.filter(({ metadata }) => annotations.some((name) => metadata.annotations?.[name] === 'true'));
    found = marked.toSorted(byAgeAndName)[0]?.metadata.name;
    return found;
  };
}

function byAgeAndName({ metadata: left }: KubeObject, { metadata: right }: KubeObject): number {
  const { creationTimestamp: madeLeft = '', name: nameLeft = '' } = left;
  const { creationTimestamp: madeRight = '', name: nameRight = '' } = right;
  if (madeLeft !== madeRight) return madeLeft > madeRight ? -1 : 1;
  return nameLeft < nameRight ? -1 : 1;
}
