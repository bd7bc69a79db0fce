/** Watches and patches of built-in kinds and of kinds of one's own. Compiled, never run. */

import { isObjectEvent, type ObjectOf } from '@listwatch/api';
import type { Cluster } from '@listwatch/client';
import { deployments, type Pod, pods } from '@listwatch/kinds';
import { defineKind } from '@listwatch/kinds/author';
import { conditions } from '@listwatch/kinds/zod';
import { expectTypeOf } from 'vitest';
import { z } from 'zod';

declare const cluster: Cluster;
const target = { name: 'a' };

const backup = defineKind({
  group: 'example.com',
  version: 'v1',
  kind: 'Backup',
  schema: z.object({
    spec: z.object({ keep: z.int().default(3), mode: z.enum(['full', 'part']).optional() }),
    status: z.object({ conditions: conditions() }).optional(),
  }),
});
type Backup = ObjectOf<typeof backup.resource>;

// A watch gives events whose type says what their object is, of either sort of kind.
for await (const event of cluster.watch(pods)) {
  if (isObjectEvent(event)) expectTypeOf(event.object).toEqualTypeOf<Pod>();
  if (event.type === 'DELETED') expectTypeOf(event.object.spec.nodeName).toEqualTypeOf<string | undefined>();
  // @ts-expect-error -- it may be a bookmark or a failure
  void event.object.spec;
  // @ts-expect-error -- a pod has no replicas
  if (event.type === 'ADDED') void event.object.spec.replicas;
}
for await (const event of cluster.watch(backup.resource)) {
  if (event.type === 'MODIFIED') expectTypeOf(event.object).toEqualTypeOf<Backup>();
  // @ts-expect-error -- what a watch gives is shared
  if (event.type === 'MODIFIED') event.object.spec.keep = 1;
}

// The body of a patch is a part of the kind.
void cluster.patch(deployments, target, { type: 'merge', body: { spec: { replicas: 3, paused: null } } });
void cluster.patch(backup.resource, target, { type: 'merge', body: { spec: { keep: 5, mode: null } } });
// @ts-expect-error -- `replica` is misspelt
void cluster.patch(deployments, target, { type: 'merge', body: { spec: { replica: 3 } } });
// @ts-expect-error -- replicas are counted
void cluster.patch(deployments, target, { type: 'strategic', body: { spec: { replicas: '3' } } });
// @ts-expect-error -- a closed enum takes no other text
void cluster.patch(backup.resource, target, { type: 'merge', body: { spec: { mode: 'half' } } });
// @ts-expect-error -- `keeps` is misspelt
void cluster.patch(backup.resource, target, { type: 'apply', body: { spec: { keeps: 5 } } });

// `conditions()` is a schema with the fields of Kubernetes.
type BackupCondition = NonNullable<Backup['status']>['conditions'][number];
expectTypeOf<BackupCondition['lastTransitionTime']>().toEqualTypeOf<string>();
expectTypeOf<BackupCondition['status']>().toEqualTypeOf<'False' | 'True' | 'Unknown'>();
// @ts-expect-error -- a condition is not told by a boolean
expectTypeOf<BackupCondition>().toExtend<{ readonly status: boolean }>();
