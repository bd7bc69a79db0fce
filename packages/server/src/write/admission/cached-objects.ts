/** Objects of the caches as JSON, not parsed: for plugins that run in another thread. */

import { builtInKind } from '@listwatch/rules/internal';
import type { TypeName } from '@listwatch/schema';
import type { CachedObject } from '../../cache/cached-object.ts';
import type { ResourceCache } from '../../cache/resource-cache.ts';
import type { WriteAnswers, WriteQuestion } from '../../contract/large-work.ts';

/** Pods in one answer. */
const PODS_MAX = 100;

/** Answers a question for several kinds. Throws the 429 as long as one of the caches was never filled. */
export function cachedObjects(
  cacheOf: (type: TypeName) => ResourceCache,
  { lists, objects }: Extract<WriteQuestion, { readonly type: 'cached' }>,
): Uint8Array {
  const found = lists.map(({ type, namespace }) =>
    listOf(
      generationOf(cacheOf(type))
        .snapshot()
        .walk(namespace === '' ? '' : `${namespace}/`),
    ),
  );
  const named = objects.map(({ type, namespace, name }) => {
    const { namespaced } = builtInKind(type).resource;
    return generationOf(cacheOf(type)).get(namespaced ? `${namespace}/${name}` : name)?.bytes ?? NULL;
  });
  return Buffer.concat([Buffer.from('{"lists":'), jsonList(found), Buffer.from(',"objects":'), jsonList(named), CLOSE]);
}

/** Some Pods of a namespace, in the order of their names. */
export function podsBehind(cache: ResourceCache, namespace: string, after: string): WriteAnswers['pods'] {
  const found: CachedObject[] = [];
  for (const pod of generationOf(cache).snapshot().walk(`${namespace}/`)) {
    if (pod.name <= after) continue;
    found.push(pod);
    if (found.length === PODS_MAX) break;
  }
  return { found: listOf(found), next: found.length === PODS_MAX ? found.at(-1)?.name : undefined };
}

const NULL = Buffer.from('null');
const CLOSE = Buffer.from('}');
const COMMA = Buffer.from(',');

function generationOf(cache: ResourceCache): ReturnType<ResourceCache['requireReady']> {
  return cache.generation ?? cache.requireReady();
}

function listOf(objects: Iterable<CachedObject>): Buffer {
  return jsonList(Array.from(objects, ({ bytes }) => bytes));
}

function jsonList(values: readonly Buffer[]): Buffer {
  const parts = values.flatMap((value, index) => (index === 0 ? [value] : [COMMA, value]));
  return Buffer.concat([Buffer.from('['), ...parts, Buffer.from(']')]);
}
