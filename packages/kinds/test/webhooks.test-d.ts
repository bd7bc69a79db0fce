/** What an author of webhooks may write, and what not. Compiled, never run. */

import type { ObjectOf } from '@listwatch/api';
import { type Pod, pods } from '@listwatch/kinds';
import { defineKind } from '@listwatch/kinds/author';
import { deny, warn, webhookManifests, webhooks } from '@listwatch/runtime/webhook';
import { expectTypeOf } from 'vitest';
import { z } from 'zod';

const backup = defineKind({
  group: 'example.com',
  version: 'v1',
  kind: 'Backup',
  schema: z.object({
    spec: z.object({
      bucket: z.string(),
      retention: z.int().optional(),
      paths: z.array(z.object({ path: z.string() })),
    }),
  }),
});
const oldBackup = defineKind({
  group: 'example.com',
  version: 'v1alpha1',
  kind: 'Backup',
  schema: z.object({ spec: z.object({ bucket: z.string(), keep: z.int() }) }),
});
type Backup = ObjectOf<typeof backup.resource>;
const hooks = webhooks();

// The objects are those of the kind; a kind, and a resource, will do.
hooks.validate(backup, ({ object, old, operation, user, dryRun }) => {
  expectTypeOf(object).toEqualTypeOf<Backup>();
  expectTypeOf(old).toEqualTypeOf<Backup | undefined>();
  expectTypeOf(operation).toEqualTypeOf<'CREATE' | 'UPDATE'>();
  expectTypeOf(user.groups).toEqualTypeOf<readonly string[]>();
  expectTypeOf(dryRun).toEqualTypeOf<boolean>();
  return object.spec.bucket === '' ? deny('no bucket') : warn('careful');
});
hooks.validate(pods, async ({ object }) => {
  expectTypeOf(object).toEqualTypeOf<Pod>();
});

// The operation says which objects there are.
hooks.validate(backup, ({ operation, object, old }) => {
  if (operation === 'UPDATE' && old.spec.bucket !== object.spec.bucket) return deny('spec.bucket cannot be changed');
  // @ts-expect-error -- a create has no old object
  return operation === 'CREATE' ? old.spec : undefined;
});
hooks.validate(backup, { operations: ['DELETE'] }, ({ object, old }) => {
  expectTypeOf(object).toEqualTypeOf<undefined>();
  expectTypeOf(old).toEqualTypeOf<Backup>();
});
hooks.validate(backup, { operations: ['CREATE', 'DELETE'] }, ({ object, operation }) => {
  expectTypeOf(operation).toEqualTypeOf<'CREATE' | 'DELETE'>();
  // @ts-expect-error -- a delete has no object
  void object.spec;
});

// @ts-expect-error -- an answer is deny(), warn(), audit() or nothing: `false` says neither
hooks.validate(backup, () => false);
// @ts-expect-error -- nor is the response of Kubernetes one
hooks.validate(backup, () => ({ allowed: true }));
hooks.validate(backup, ({ object }) => {
  // @ts-expect-error -- objects that are validated cannot be changed
  object.spec.bucket = 'x';
});
// @ts-expect-error -- `spec.buckets` is misspelt
hooks.validate(backup, ({ object }) => void object.spec.buckets);
// @ts-expect-error -- operations are in capitals
hooks.validate(backup, { operations: ['create'] }, () => {});
// @ts-expect-error -- the policy is Fail or Ignore
hooks.validate(backup, { failurePolicy: 'Deny' }, () => {});
// @ts-expect-error -- only mutating webhooks are called again
hooks.validate(backup, { reinvocationPolicy: 'IfNeeded' }, () => {});

// A draft is writable on every level, and typed.
hooks.mutate(backup, (draft, { old, user }) => {
  draft.spec.retention ??= 7;
  draft.spec.paths.push({ path: '/' });
  draft.metadata.labels = { ...draft.metadata.labels, by: user.name };
  expectTypeOf(draft.metadata.name).toEqualTypeOf<string | undefined>();
  expectTypeOf(old).toEqualTypeOf<Backup | undefined>();
  // @ts-expect-error -- the retention is counted
  draft.spec.retention = '7';
  // @ts-expect-error -- there is no such field
  draft.spec.colour = 'red';
});
hooks.mutate(pods, (draft) => {
  for (const container of draft.spec?.containers ?? []) container.imagePullPolicy = 'Always';
});
// @ts-expect-error -- the draft is changed in place; nothing else is returned
hooks.mutate(backup, (draft) => ({ ...draft }));
// @ts-expect-error -- a delete has nothing to change
hooks.mutate(backup, { operations: ['DELETE'] }, () => {});

// Each step is typed by both versions.
hooks.convert(
  { v1alpha1: oldBackup, v1: backup },
  {
    v1alpha1: { v1: ({ spec: { bucket, keep } }) => ({ spec: { bucket, retention: keep, paths: [] } }) },
    v1: { v1alpha1: async ({ spec }) => ({ spec: { bucket: spec.bucket, keep: spec.retention ?? 0 } }) },
  },
);
hooks.convert(
  { v1alpha1: oldBackup, v1: backup },
  {
    // @ts-expect-error -- the new version needs paths
    v1alpha1: { v1: ({ spec: { bucket } }) => ({ spec: { bucket } }) },
    // @ts-expect-error -- the new version has no `keep`
    v1: { v1alpha1: ({ spec }) => ({ spec: { bucket: spec.bucket, keep: spec.keep } }) },
  },
);
// @ts-expect-error -- v1 has no steps
hooks.convert({ v1alpha1: oldBackup, v1: backup }, { v1alpha1: {} });
// @ts-expect-error -- there is no version v2
hooks.convert({ v1alpha1: oldBackup, v1: backup }, { v1alpha1: { v2: () => ({}) }, v1: {} });

void webhookManifests(hooks, { name: 'backup', url: 'https://127.0.0.1:9443' });
// @ts-expect-error -- the configurations need a name
void webhookManifests(hooks, { url: 'https://127.0.0.1:9443' });
