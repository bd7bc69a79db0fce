/** The key of an object in a controller. */

/** Which object is to be reconciled. Prints as `namespace/name`, or `name` for an object of the cluster. */
export interface ReconcileKey {
  /** Absent for objects of the cluster. */
  readonly namespace?: string | undefined;
  readonly name: string;
  toString(): string;
}

/** What a mapper may return: a key, or an object with a name and a namespace. */
export type KeyTarget = string | { readonly namespace?: string | undefined; readonly name: string };

class ObjectKey implements ReconcileKey {
  readonly namespace: string | undefined;
  readonly name: string;

  constructor(namespace: string | undefined, name: string) {
    this.namespace = namespace;
    this.name = name;
  }

  toString(): string {
    return keyText(this);
  }
}

/** The text of a key, which is also the key in stores and queues. */
export function keyText(target: KeyTarget): string {
  if (typeof target === 'string') return target;
  const { namespace, name } = target;
  return namespace === undefined || namespace === '' ? name : `${namespace}/${name}`;
}

/** Reads a key back from its text. */
export function reconcileKey(text: string): ReconcileKey {
  const slash = text.indexOf('/');
  return slash < 0 ? new ObjectKey(undefined, text) : new ObjectKey(text.slice(0, slash), text.slice(slash + 1));
}
