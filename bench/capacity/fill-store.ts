/** Fills a store with copies of one object: a hundred times faster than requests. */

import { join } from 'node:path';
import { requireCommitted, type StorageEngine } from '@listwatch/storage';
import { createEtcdEngine } from '@listwatch/storage-etcd';
import { openLmdbEngine } from '@listwatch/storage-lmdb';
import { NAMESPACE, objectName } from '../server/objects.ts';
import type { Engine } from '../server/own-server.ts';

/** Where the store of a server is that does not run now. */
export interface StorePlace {
  readonly storage: Engine;
  readonly folder: string;
  readonly endpoints?: readonly string[] | undefined;
}

/** What is copied: object 0 of a bench, which a server has made. */
export interface StoreFill {
  /** `pods`, `configmaps`. */
  readonly resource: string;
  readonly count: number;
  /** Turns the text of object 0 into that of object `i`, but for its name and uid. */
  readonly change?: ((text: string, i: number) => string) | undefined;
}

const AT_ONCE = 500;

/** Makes the objects 1 to `count`, each with a name and a uid of its own. */
export async function fillStore({ storage, folder, endpoints = [] }: StorePlace, fill: StoreFill): Promise<void> {
  await using engine: StorageEngine =
    storage === 'lmdb'
      ? await openLmdbEngine({ path: join(folder, 'store') })
      : createEtcdEngine({ endpoints, root: '/registry' });
  const keyOf = (i: number): string => `/registry/${fill.resource}/${NAMESPACE}/${objectName(i)}`;
  const first = await engine.get(keyOf(0));
  if (first.entry === undefined) throw new Error(`there is no ${keyOf(0)}`);
  const text = Buffer.from(first.entry.value).toString();
  const uid = /"uid":"([^"]+)"/u.exec(text)?.[1] ?? '';
  const valueOf = (i: number): Buffer => {
    const named = text
      .replace(objectName(0), objectName(i))
      .replace(uid, `${String(i).padStart(8, '0')}${uid.slice(8)}`);
    return Buffer.from(fill.change?.(named, i) ?? named);
  };
  for (let i = 1; i < fill.count; i += AT_ONCE) {
    const size = Math.min(AT_ONCE, fill.count - i);
    await Promise.all(
      Array.from({ length: size }, async (_, j) => {
        const key = keyOf(i + j);
        requireCommitted(await engine.commit({ type: 'put', key, value: valueOf(i + j), expected: 0n }), key);
      }),
    );
  }
}
