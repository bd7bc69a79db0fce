/** The folders of the store: `/registry/{folder of the kind}/{namespace}/{name}`. */

import type { KindDefinition } from '@listwatch/rules/internal';

/** The folder of all keys. */
export const REGISTRY_ROOT = '/registry/';

/** The folder of a kind's keys, with its last slash: `/registry/configmaps/`. */
export function storageRoot(definition: Pick<KindDefinition, 'storagePrefix'>): string {
  return folderRoot(definition.storagePrefix);
}

/** The folder of a kind's keys in a namespace; in all namespaces when `namespace` is `''`. */
export function namespaceRoot(definition: Pick<KindDefinition, 'storagePrefix'>, namespaceName: string): string {
  const root = storageRoot(definition);
  return namespaceName === '' ? root : `${root}${namespaceName}/`;
}

/** The folder of this name, with its last slash. */
export function folderRoot(storagePrefix: string): string {
  return `${REGISTRY_ROOT}${storagePrefix}/`;
}
