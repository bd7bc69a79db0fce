/** Mutations of metadata that the two servers answer differently, each with the reason, as `known-damages.ts`. */

import type { KnownDamage } from './known-damages.ts';

export const KNOWN_METADATA: readonly KnownDamage[] = [
  {
    damage: /^update uid$/u,
    why: 'a dry run of kube-apiserver names the key without its root',
    row: 'a dry run of a create with a resourceVersion, of a change with another uid',
  },
  { damage: /^update selfLink$/u, why: 'a selfLink is never stored here', row: '`metadata.selfLink` in a change' },
  {
    damage: /^create name of 254$/u,
    why: 'no name is longer than 253 here: it becomes part of a key',
    row: 'a name of more than 253 characters where any name is taken (Roles, Events)',
  },
  {
    kind: 'IPAddress',
    damage: /^create generateName/u,
    why: 'the prefix is told as a name, too',
    row: 'a `generateName` of a kind whose names follow its spec',
  },
  {
    kind: 'CustomResourceDefinition',
    damage: /^create generateName/u,
    why: 'the prefix is told as a name, too',
    row: 'a `generateName` of a kind whose names follow its spec',
  },
  {
    kind: 'APIService',
    damage: /generateName/u,
    why: 'the prefix is told as a name, too',
    row: 'a `generateName` of a kind whose names follow its spec',
  },
  {
    damage: /^create resourceVersion$/u,
    why: 'a dry run of kube-apiserver takes it, a real one answers 500',
    row: 'a dry run of a create with a resourceVersion, of a change with another uid',
  },
];
