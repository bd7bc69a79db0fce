/** The sorted map behind the memory engine and the caches of the server. */

import module from 'sorted-btree';

type TreeClass = typeof module.default;

/**
 * CommonJS with `exports.default`: Node and Deno hand over the namespace, so that its class is one step further in; Bun and some
 * bundlers hand over the class.
 */
function classOf(imported: TreeClass | { readonly default: TreeClass }): TreeClass {
  return typeof imported === 'function' ? imported : imported.default;
}

/** A sorted map with cheap ordered walks from any key. */
export const BTree: TreeClass = classOf(module);
/** An instance of {@link BTree}. */
export type BTree<K, V> = InstanceType<typeof module.default<K, V>>;
