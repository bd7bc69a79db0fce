/** Published manifests that the two servers answer differently, each with the reason, as `known-damages.ts`. */

import type { KnownDamage } from './known-damages.ts';

export const KNOWN_MANIFESTS: readonly KnownDamage[] = [];
