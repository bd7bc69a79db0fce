/** Paths of fields in messages, as kube-apiserver prints them: `spec.ports[0].port`, `metadata.labels[a.b/c]`. */

/** The path of a field. */
export function childPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/** The path of an item of a list. */
export function indexPath(path: string, index: number): string {
  return `${path}[${index}]`;
}

/** The path of a value under a key that an author chose. */
export function keyPath(path: string, key: string): string {
  return `${path}[${key}]`;
}
