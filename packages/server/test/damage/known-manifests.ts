/** Published manifests that the two servers answer differently, each with the reason, as `known-damages.ts`. */

import { type KnownDamage, NO_ROW } from './known-damages.ts';

export const KNOWN_MANIFESTS: readonly KnownDamage[] = [
  {
    kind: 'Pod',
    damage: /\/fail\/restrictedvolumes17\.yaml/u,
    why: 'an absent secret stays absent',
    row: 'an absent `secretRef` of a ScaleIO volume',
  },
  {
    kind: 'Service',
    damage: /svc\.yaml|kubernetes-service|service-revision2/u,
    why: 'only a dry run names the range',
    row: 'a dry run of a Service',
  },
  { damage: /\/bootstrappolicy\/testdata\//u, why: 'kube-apiserver has made these itself', row: NO_ROW },
  {
    damage:
      /\/testdata\/HEAD\/(?:apps\.v1\.(?:DaemonSet|StatefulSet)|batch\.v1\.(?:Cron)?Job|core\.v1\.(?:Pod|PodTemplate|ReplicationController))\.json/u,
    why: 'of more than a hundred errors a hundred are told',
    row: 'the size of a Status',
  },
  {
    damage: /\/testdata\/HEAD\/core\.v1\.Service\.json/u,
    why: 'an address that cannot be allocated is told alone there',
    row: 'an address that a Service cannot get',
  },
  {
    damage: /\/testdata\/HEAD\/resource\.k8s\.io\.v1\.ResourceClaim(?:Template)?\.json/u,
    why: 'the label for adminAccess is asked for when all else is right',
    row: '`adminAccess` without the label of the namespace',
  },
  {
    damage: /\/testdata\/HEAD\/apiextensions\.k8s\.io\.v1\.CustomResourceDefinition\.json/u,
    why: 'a schema that is wrong everywhere is told in another order',
    row: 'the order of errors about a schema that is wrong in many places',
  },
];
