/** Published manifests that the two servers answer differently, each with the reason, as `known-damages.ts`. */

import type { KnownDamage } from './known-damages.ts';

export const KNOWN_MANIFESTS: readonly KnownDamage[] = [
  { kind: 'Service', damage: /svc\.yaml|kubernetes-service|service-revision2/u, why: 'only a dry run names the range' },
  { damage: /\/bootstrappolicy\/testdata\//u, why: 'kube-apiserver has made these itself' },
  {
    damage: /\/testdata\/HEAD\/(?:apps\.v1\.(?:DaemonSet|StatefulSet)|core\.v1\.Pod)\.json/u,
    why: 'of more than a hundred errors a hundred are told',
  },
];
