/** Mutations of metadata that the two servers answer differently, each with the reason, as `known-damages.ts`. */

import type { KnownDamage } from './known-damages.ts';

export const KNOWN_METADATA: readonly KnownDamage[] = [
  { damage: /^update uid$/u, why: 'a dry run of kube-apiserver names the key without its root' },
  { damage: /^update selfLink$/u, why: 'a selfLink is never stored here' },
  { damage: /^create name of 254$/u, why: 'no name is longer than 253 here: it becomes part of a key' },
  { kind: 'IPAddress', damage: /^create generateName/u, why: 'the prefix is told as a name, too' },
  { kind: 'CustomResourceDefinition', damage: /^create generateName/u, why: 'the prefix is told as a name, too' },
  { kind: 'APIService', damage: /generateName/u, why: 'the prefix is told as a name, too' },
  { kind: 'APIService', damage: /^update /u, why: 'a controller of kube-apiserver writes its status meanwhile' },
  { kind: 'FlowSchema', damage: /^update /u, why: 'a controller of kube-apiserver writes its status meanwhile' },
  {
    kind: 'CustomResourceDefinition',
    damage: /^update /u,
    why: 'a controller of kube-apiserver writes its status meanwhile',
  },
  { damage: /^create resourceVersion$/u, why: 'a dry run of kube-apiserver takes it, a real one answers 500' },
];
