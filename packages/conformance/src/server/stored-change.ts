/** What happened in the store, in the words of the API: the truth that watchers are held against. */

import type { Entry, StorageEvent } from '@listwatch/storage';
import { parseDocument, type WireDocument } from './server-answer.ts';

/** An object as far as the load changes it. */
export interface LoadedObject {
  readonly namespace: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Everything else, so that two versions of an object never look the same. */
  readonly content: string;
}

/** One committed change. */
export interface StoredChange {
  readonly revision: bigint;
  /** `namespace/name`. */
  readonly key: string;
  /** Undefined: it was deleted. */
  readonly object: LoadedObject | undefined;
  readonly previous: LoadedObject | undefined;
}

/** Reads an event of the store; keys begin with `prefix`. */
export function storedChange(event: StorageEvent, prefix: string): StoredChange {
  return {
    revision: event.revision,
    key: event.key.slice(prefix.length),
    object: event.type === 'put' ? viewOf(event.value) : undefined,
    previous: event.previous && viewOf(event.previous.value),
  };
}

/** The view of an object of the API. */
export function objectView({ metadata, data = {} }: Pick<WireDocument, 'data' | 'metadata'>): LoadedObject {
  const { namespace = '', name = '', labels = {} } = metadata;
  return { namespace, name, labels, content: JSON.stringify([metadata.uid, data]) };
}

function viewOf(value: Entry['value']): LoadedObject {
  return objectView(parseDocument(Buffer.from(value).toString()));
}

/** As `StoredChange.key`. */
export function keyOfObject({ namespace, name }: LoadedObject): string {
  return `${namespace}/${name}`;
}

/** The order of keys in a state. */
export function byBytes(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}
