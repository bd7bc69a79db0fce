/** The sorted map behind the memory engine. */

import module from 'sorted-btree';

// CommonJS with `exports.default`: Node hands over the namespace, so its class is one step further in.
/** A sorted map with cheap ordered walks from any key. */
export const BTree: typeof module.default = module.default;
/** An instance of {@link BTree}. */
export type BTree<K, V> = InstanceType<typeof module.default<K, V>>;
