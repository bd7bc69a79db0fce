/** API servers call the webhooks of a program over HTTPS: ours, and the one of Kubernetes. */

import { type Cluster, connect } from '@listwatch/client';
import { needs, startKubeApiserver } from '@listwatch/conformance/parts';
import {
  type CustomResourceDefinition,
  customResourceDefinitions,
  secrets,
  validatingWebhookConfigurations,
} from '@listwatch/kinds';
import { defineKind, mergeVersions } from '@listwatch/kinds/author';
import { conditionIs, waitFor } from '@listwatch/runtime';
import { manager } from '@listwatch/runtime/manager';
import {
  deny,
  serveWebhooks,
  type WebhookServing,
  type Webhooks,
  warn,
  webhookManifests,
  webhooks,
} from '@listwatch/runtime/webhook';
import { startTestServer } from '@listwatch/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { newServingPair } from '../src/webhook/certificate/serving-pair.ts';
import { recordingLogger } from './webhook-reviews.ts';

const kind = { group: 'example.com', kind: 'Backup' };
const oldBackup = defineKind({
  ...kind,
  version: 'v1alpha1',
  schema: z.object({ spec: z.object({ keep: z.int().optional() }) }),
});
const backup = defineKind({
  ...kind,
  version: 'v1',
  schema: z.object({ spec: z.object({ retention: z.int().optional(), bucket: z.string().optional() }) }),
});
const crd = mergeVersions([oldBackup, backup], 'v1');

const URL_OF = (port: number): string => `https://127.0.0.1:${port}`;
const INSTALLATION = { name: 'backup', url: URL_OF(9443) };
const SECRET = { namespace: 'default', name: 'backup-webhook-certificate' };
const WAIT = { timeout: 60_000, interval: 50 };

function backupWebhooks(): Webhooks {
  return webhooks()
    .mutate(backup, (draft) => {
      draft.spec.retention ??= 7;
    })
    .validate(backup, { operations: ['CREATE', 'UPDATE', 'DELETE'] }, ({ operation, object, old, user, dryRun }) => {
      if (operation === 'DELETE') return old.spec.bucket === 'kept' ? deny('this backup is kept') : undefined;
      if (object.spec.bucket === 'broken') throw new Error('out of order');
      if ((object.spec.retention ?? 0) < 1) return [warn(`dear ${user.name}`), deny('at least 1', { code: 422 })];
      return dryRun ? warn('only a try') : undefined;
    })
    .convert(
      { v1alpha1: oldBackup, v1: backup },
      {
        v1alpha1: { v1: ({ spec }) => ({ spec: spec.keep === undefined ? {} : { retention: spec.keep } }) },
        v1: { v1alpha1: ({ spec }) => ({ spec: spec.retention === undefined ? {} : { keep: spec.retention } }) },
      },
    );
}

/** Without a type of its own: that of `defineKind` is long, and follows. */
const named = (name: string, spec: { retention?: number; bucket?: string } = {}) =>
  backup.object({ metadata: { name, namespace: 'default' }, spec });
const at = (name: string): { namespace: string; name: string } => ({ namespace: 'default', name });
const encoded = (plain: string): string => Buffer.from(plain).toString('base64');

interface ServerUnderTest extends AsyncDisposable {
  readonly cluster: Cluster;
  readonly warnings: string[];
}

async function startOurs(): Promise<ServerUnderTest> {
  const warnings: string[] = [];
  const client = { onWarning: ({ text }: { readonly text: string }) => void warnings.push(text) };
  const server = { largeWriteBytes: Number.POSITIVE_INFINITY };
  const env = await startTestServer({ controllers: [], client, server });
  return { cluster: env.cluster, warnings, [Symbol.asyncDispose]: () => env.close() };
}

async function startReal(): Promise<ServerUnderTest> {
  const warnings: string[] = [];
  const server = await startKubeApiserver();
  const onWarning = ({ text }: { readonly text: string }): void => void warnings.push(text);
  const cluster = await connect({ kubeconfig: server.kubeconfig, namespace: 'default', onWarning });
  const close = async (): Promise<void> => {
    await cluster.close();
    await server.stop();
  };
  return { cluster, warnings, [Symbol.asyncDispose]: close };
}

describe.each([
  { name: 'our server', start: startOurs, options: {} },
  { name: 'kube-apiserver', start: startReal, options: needs('kube-apiserver') },
])('$name', ({ start, options }) => {
  let server: ServerUnderTest;
  let cluster: Cluster;
  let serving: WebhookServing;
  const stop = new AbortController();
  let running: Promise<void> | undefined;
  const { logger, lines } = recordingLogger();

  beforeAll(async () => {
    if ('skip' in options && options.skip) return;
    server = await start();
    ({ cluster } = server);
    const hooks = backupWebhooks();
    const program = manager(cluster, { health: false, logger });
    const certificate = { overlapMs: 1000 };
    serving = serveWebhooks(program, hooks, { ...INSTALLATION, host: '127.0.0.1', port: 0, drainMs: 0, certificate });
    running = program.run({ signal: stop.signal });
    await vi.waitFor(() => expect(serving.port).toBeGreaterThan(0), WAIT);
    const url = URL_OF(serving.port ?? 0);
    for (const manifest of webhookManifests(hooks, { ...INSTALLATION, url, crds: [crd] }))
      await cluster
        .raw(...applying(manifest))
        .then(async (answer) => expect(answer.status, await answer.text()).toBe(201));
    await waitFor<CustomResourceDefinition>(
      cluster,
      customResourceDefinitions,
      { name: crd.metadata.name },
      conditionIs('Established'),
    );
    await vi.waitFor(() => expect(serving.notReady).toBeUndefined(), WAIT);
    // An API server learns of a configuration some moments later.
    await vi.waitFor(async () => {
      const tried = await cluster.create(backup.resource, named('try'), { dryRun: true });
      expect(tried.spec.retention).toBe(7);
      expect(server.warnings).toContain('only a try');
    }, WAIT);
  }, 180_000);

  afterAll(async () => {
    stop.abort();
    await running;
    await server?.[Symbol.asyncDispose]();
  });

  it('stores what the mutating webhook made, and the versions that the conversion made', options, async () => {
    expect((await cluster.create(backup.resource, named('a'))).spec).toEqual({ retention: 7 });
    expect((await cluster.get(oldBackup.resource, at('a'))).spec).toEqual({ keep: 7 });
    const old = oldBackup.object({ metadata: at('b'), spec: { keep: 3 } });
    expect((await cluster.create(oldBackup.resource, old)).spec).toEqual({ keep: 3 });
    expect((await cluster.get(backup.resource, at('b'))).spec).toEqual({ retention: 3 });
    const { items } = await cluster.list(oldBackup.resource, { namespace: 'default' });
    expect(items.map(({ spec }) => spec.keep)).toEqual([7, 3]);
  });

  it('refuses what the validating webhook denies, with its words, code and warnings', options, async () => {
    await expect(cluster.create(backup.resource, named('c', { retention: 0 }))).rejects.toMatchObject({
      httpCode: 422,
      reason: 'Invalid',
      message: 'admission webhook "validate.backups.example.com" denied the request: at least 1',
    });
    expect(server.warnings.at(-1)).toMatch(/^dear /u);
    await cluster.create(backup.resource, named('d', { bucket: 'kept' }));
    await expect(cluster.delete(backup.resource, at('d'))).rejects.toMatchObject({ httpCode: 403 });
  });

  it('refuses when a handler throws, and the program says so in its log', options, async () => {
    await expect(cluster.create(backup.resource, named('e', { bucket: 'broken' }))).rejects.toMatchObject({
      httpCode: 500,
      message: expect.stringContaining('the webhook validate.backups.example.com failed: out of order'),
    });
    expect(lines).toContainEqual(expect.objectContaining({ level: 'error', webhook: 'validate.backups.example.com' }));
  });

  it('goes on without a failed call while the certificate is renewed', { ...options, timeout: 120_000 }, async () => {
    // A certificate that ends soon takes the place of the current one; its authority is known already.
    const pair = newServingPair(
      'backup',
      { dnsNames: [], ipAddresses: ['127.0.0.1'] },
      { now: Date.now(), lifetimeMs: 300_000 },
    );
    const secret = await cluster.get(secrets, SECRET);
    const text = (key: string): string => Buffer.from(secret.data?.[key] ?? '', 'base64').toString();
    const bundle = `${text('ca.crt')}${pair.ca}`;
    const trusted = async (): Promise<number> => {
      const { webhooks: list = [] } = await cluster.get(validatingWebhookConfigurations, { name: 'backup' });
      const now = Buffer.from(list[0]?.clientConfig.caBundle ?? '', 'base64').toString();
      return now.includes(pair.ca.trim()) ? (now.match(/BEGIN/gu)?.length ?? 0) : 0;
    };
    await cluster.update(secrets, { ...secret, data: { ...secret.data, 'ca.crt': encoded(bundle) } });
    await vi.waitFor(async () => expect(await trusted()).toBe(2), WAIT);
    const failures: unknown[] = [];
    const ending = new AbortController();
    let calls = 0;
    const calling = (async () => {
      while (!ending.signal.aborted) {
        calls++;
        await cluster
          .create(backup.resource, named('try'), { dryRun: true })
          .catch((error: unknown) => failures.push(error));
      }
    })();
    await vi.waitFor(() => expect(calls).toBeGreaterThan(20), WAIT);
    const current = await cluster.get(secrets, SECRET);
    const data = { ...current.data, 'tls.crt': encoded(pair.cert), 'tls.key': encoded(pair.key) };
    await cluster.update(secrets, { ...current, data });
    // The program makes the next one at once, announces it, and serves it.
    await vi.waitFor(async () => {
      const { data: now = {} } = await cluster.get(secrets, SECRET);
      expect(now['next.crt']).toBeUndefined();
      expect(now['tls.crt']).not.toBe(data['tls.crt']);
    }, WAIT);
    const before = calls;
    await vi.waitFor(() => expect(calls).toBeGreaterThan(before + 20), WAIT);
    ending.abort();
    await calling;
    expect(failures).toEqual([]);
    expect(await trusted()).toBe(2);
  });
});

/** Created as it is: the types of manifests are none that a resource has. */
function applying(manifest: {
  readonly apiVersion: string;
  readonly kind: string;
}): [string, { method: 'POST'; headers: Record<string, string>; body: string }] {
  const path = `/apis/${manifest.apiVersion}/${manifest.kind.toLowerCase()}s`;
  return [path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(manifest) }];
}
