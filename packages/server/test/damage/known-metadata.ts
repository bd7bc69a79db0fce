/** Mutations of metadata that the two servers answer differently, each with the reason, as `known-damages.ts`. */

import type { KnownDamage } from './known-damages.ts';

export const KNOWN_METADATA: readonly KnownDamage[] = [
  { damage: /^update uid$/u, why: 'a dry run of kube-apiserver names the key without its root' },
  { damage: /^create resourceVersion$/u, why: 'a dry run of kube-apiserver takes it, a real one answers 500' },
];
