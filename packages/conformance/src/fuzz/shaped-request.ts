/** Requests whose bodies are made from shapes. */

import type { SeededRandom } from '../server/seeded-random.ts';
import { damagedBytes, type ShapedKind, shapedObject } from './body-shape.ts';
import type { FuzzRequest } from './fuzz-request.ts';

const NAMES = ['s-a', 's-b', 's-c'];
const PATCHES = ['merge-patch+json', 'json-patch+json', 'strategic-merge-patch+json', 'apply-patch+yaml'];
const NO_FRAMES = Buffer.alloc(0);

/** One write of a damaged object or patch. */
export function shapedRequest(random: SeededRandom, kinds: readonly ShapedKind[], token: string): FuzzRequest {
  const kind = random.pick(kinds);
  const name = random.pick(NAMES);
  const collection = collectionOf(kind);
  const item = `${collection}/${name}`;
  const body = damagedBytes(random, shapedObject(random, kind, name));
  const base = { transport: random.chance(0.5) ? 'http/2' : 'http/1.1', body, frames: NO_FRAMES } as const;
  const headers = (type: string) => ({ authorization: `Bearer ${token}`, 'content-type': type });
  const strict = random.chance(0.3) ? '?fieldValidation=Strict' : '';
  switch (random.below(8)) {
    case 0:
    case 1:
    case 2:
      return { ...base, method: 'POST', target: collection + strict, headers: headers('application/json') };
    case 3:
      return { ...base, method: 'POST', target: collection + strict, headers: headers('application/yaml') };
    case 4:
      return { ...base, method: 'PUT', target: item + strict, headers: headers('application/json') };
    case 5:
      return { ...base, method: 'PUT', target: `${item}/status`, headers: headers('application/json') };
    case 6:
      return { ...base, method: 'PATCH', target: item, headers: headers(`application/${random.pick(PATCHES)}`) };
    default:
      return { ...base, method: 'DELETE', target: item, headers: headers('application/json') };
  }
}

/** Where the objects of a kind are served. */
export function collectionOf({ apiVersion, plural, namespaced }: ShapedKind): string {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  return `${root}/${namespaced ? 'namespaces/fuzz-0/' : ''}${plural}`;
}
