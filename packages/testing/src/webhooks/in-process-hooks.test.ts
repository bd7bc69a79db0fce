/** Webhooks of an author in the test server: with the semantics of admission, and without sockets. */

import { isForbidden } from '@listwatch/api';
import { configMaps } from '@listwatch/kinds';
import { defineKind, type JsonSchema, mergeVersions } from '@listwatch/kinds/author';
import { silentLogger } from '@listwatch/runtime';
import { deny, type RequestUser, warn, webhooks } from '@listwatch/runtime/webhook';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer } from '../start-test-server.ts';
import type { TestEnvironment } from '../test-environment.ts';

const spec = (properties: object): JsonSchema => ({
  type: 'object',
  properties: { spec: { type: 'object', properties } },
});
const kind = { group: 'example.com', kind: 'Backup' };
const oldBackup = defineKind({ ...kind, version: 'v1alpha1', schema: spec({ keep: { type: 'integer' } }) });
const backup = defineKind({
  ...kind,
  version: 'v1',
  schema: spec({ retention: { type: 'integer' }, bucket: { type: 'string' } }),
});

function specOf(object: object): Record<string, unknown> {
  return 'spec' in object ? { ...Object(object.spec) } : {};
}

const users: RequestUser[] = [];
const hooks = webhooks({ logger: silentLogger })
  .mutate(backup, (draft) => {
    Object.assign(draft, { spec: { retention: 7, ...specOf(draft) } });
  })
  .validate(backup, { operations: ['CREATE', 'UPDATE', 'DELETE'] }, ({ operation, object, old, user, dryRun }) => {
    users.push(user);
    if (operation === 'DELETE') return specOf(old)['bucket'] === 'kept' ? deny('this backup is kept') : undefined;
    if (dryRun) return warn('only a try');
    const { retention } = specOf(object);
    return typeof retention === 'number' && retention < 1
      ? deny('retention must be 1 or more', { code: 422 })
      : undefined;
  })
  .validate(configMaps, { objectSelector: { matchLabels: { checked: 'yes' } } }, () => {
    throw new Error('broken');
  })
  .convert(
    { v1alpha1: oldBackup, v1: backup },
    {
      v1alpha1: { v1: (object) => ({ ...object, spec: { retention: specOf(object)['keep'] } }) },
      v1: { v1alpha1: (object) => ({ ...object, spec: { keep: specOf(object)['retention'] } }) },
    },
  );

let env: TestEnvironment;
beforeAll(async () => {
  env = await startTestServer({
    webhooks: hooks,
    crds: [mergeVersions([oldBackup, backup], 'v1')],
    controllers: [],
    client: { onWarning: () => {} },
  });
});
afterAll(() => env.close());

const named = (name: string): { namespace: string; name: string } => ({ namespace: 'default', name });
const newBackup = (name: string, own: object = {}): never =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a kind without types
  ({ ...backup.object({ metadata: named(name) }), spec: own }) as never;

describe('webhooks in the test server', () => {
  it('change what is created, and see who writes', async () => {
    const created = await env
      .as('jane')
      .create(backup.resource, newBackup('a'))
      .catch((error: unknown) => error);
    expect(isForbidden(created)).toBe(true); // roles come first
    const made = await env.cluster.create(backup.resource, newBackup('a'));
    expect(specOf(made)).toEqual({ retention: 7 });
    expect(users.at(-1)?.name).toBe('test-admin');
  });

  it('refuse with the words and the code of the author, in the frame of Kubernetes', async () => {
    const refused = env.cluster.create(backup.resource, newBackup('b', { retention: 0 }));
    await expect(refused).rejects.toMatchObject({
      httpCode: 422,
      message: 'admission webhook "validate.backups.example.com" denied the request: retention must be 1 or more',
    });
    await expect(env.cluster.get(backup.resource, named('b'))).rejects.toThrow('not found');
  });

  it('are asked about deletes, and see a dry run', async () => {
    await env.cluster.create(backup.resource, newBackup('c', { bucket: 'kept' }));
    await expect(env.cluster.delete(backup.resource, named('c'))).rejects.toThrow('this backup is kept');
    const tried = await env.cluster.create(backup.resource, newBackup('d', { retention: 0 }), { dryRun: true });
    expect(specOf(tried)).toEqual({ retention: 0 });
  });

  it('refuse when they throw, and are called for what their selectors match alone', async () => {
    await env.cluster.create(configMaps, { metadata: { ...named('plain') } });
    const broken = env.cluster.create(configMaps, { metadata: { ...named('e'), labels: { checked: 'yes' } } });
    await expect(broken).rejects.toMatchObject({
      httpCode: 500,
      message: expect.stringContaining('the webhook validate.configmaps.core failed: broken'),
    });
  });

  it('convert between versions', async () => {
    await env.cluster.create(backup.resource, newBackup('f', { retention: 3 }));
    expect(specOf(await env.cluster.get(oldBackup.resource, named('f')))).toEqual({ keep: 3 });
    const { items } = await env.cluster.list(oldBackup.resource, { namespace: 'default' });
    expect(items.map(specOf)).toContainEqual({ keep: 3 });
  });
});
