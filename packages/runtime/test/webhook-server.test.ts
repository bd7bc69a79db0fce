/** The HTTPS server of webhooks: its certificate, who trusts it, and how it starts and ends. */

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type PeerCertificate, type TLSSocket } from 'node:tls';
import { FakeClock } from '@listwatch/api/fake-clock';
import type { Cluster, NewObject } from '@listwatch/client';
import {
  customResourceDefinitions,
  mutatingWebhookConfigurations,
  type Secret,
  secrets,
  validatingWebhookConfigurations,
} from '@listwatch/kinds';
import { type Manager, manager } from '@listwatch/runtime/manager';
import {
  deny,
  type ServeWebhooksOptions,
  serveWebhooks,
  type WebhookServing,
  type Webhooks,
  webhookManifests,
  webhooks,
} from '@listwatch/runtime/webhook';
import { startTestServer, type TestEnvironment } from '@listwatch/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { newServingPair, type ServingPair } from '../src/webhook/certificate/serving-pair.ts';
import { backups, recordingLogger, reviewOf } from './webhook-reviews.ts';

const WAIT = { timeout: 25_000 };
const PATH = '/validate-example-com-v1-backup';

const DAY = 86_400_000;
const SECRET = 'backup-webhook-certificate';

function ownPair(lifetimeMs: number): ServingPair & { readonly ca: string } {
  return newServingPair('backup', { dnsNames: [], ipAddresses: ['127.0.0.1'] }, { now: Date.now(), lifetimeMs });
}

function secretOf({ cert, key }: ServingPair, ca: string): NewObject<Secret> {
  const texts = { 'tls.crt': cert, 'tls.key': key, 'ca.crt': ca };
  const data = Object.entries(texts).map(([name, text]) => [name, Buffer.from(text).toString('base64')] as const);
  const metadata = { namespace: 'default', name: SECRET };
  return { metadata, type: 'kubernetes.io/tls', data: Object.fromEntries(data) };
}

interface Program {
  readonly program: Manager;
  readonly serving: WebhookServing;
  readonly stop: AbortController;
  readonly running: Promise<void>;
  readonly lines: ReturnType<typeof recordingLogger>['lines'];
}

let env: TestEnvironment;
let programs: Program[];

beforeEach(async () => {
  // Secrets with two certificates count as large; the start of the worker for them takes seconds in tests.
  env = await startTestServer({ controllers: [], server: { largeWriteBytes: Number.POSITIVE_INFINITY } });
  programs = [];
});

afterEach(async () => {
  for (const { stop } of programs) stop.abort();
  await Promise.allSettled(programs.map(({ running }) => running));
  await env.close();
});

const hooks = (): Webhooks =>
  webhooks()
    .validate(backups, ({ object }) => (object.spec.retention === 0 ? deny('too short') : undefined))
    .mutate(backups, (draft) => void (draft.spec.retention ??= 7));

function start(set: Webhooks, options: Partial<ServeWebhooksOptions> = {}, cluster: Cluster = env.cluster): Program {
  const { logger, lines } = recordingLogger();
  const program = manager(cluster, { health: { host: '127.0.0.1', port: 0 }, logger });
  const own = { name: 'backup', url: 'https://127.0.0.1:9443', host: '127.0.0.1', port: 0, drainMs: 0 };
  const serving = serveWebhooks(program, set, { ...own, ...options });
  const stop = new AbortController();
  const running = program.run({ signal: stop.signal });
  running.catch(() => {});
  const started = { program, serving, stop, running, lines };
  programs.push(started);
  return started;
}

async function installed(set: Webhooks): Promise<void> {
  await env.apply(webhookManifests(set, { name: 'backup', url: 'https://127.0.0.1:9443' }));
}

async function ready({ serving }: Program): Promise<void> {
  await vi.waitFor(() => expect(serving.notReady).toBeUndefined(), WAIT);
}

async function readyz({ program }: Program): Promise<string> {
  const answer = await fetch(`${program.health}/readyz?verbose`);
  return `${answer.status} ${await answer.text()}`;
}

/** The caBundle that the API server has now. */
async function bundle(): Promise<string> {
  const { webhooks: list = [] } = await env.cluster.get(validatingWebhookConfigurations, { name: 'backup' });
  return Buffer.from(list[0]?.clientConfig.caBundle ?? '', 'base64').toString();
}

interface Answer {
  readonly status: number | undefined;
  readonly body: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** A call over a connection of its own, by a client that trusts this bundle alone. */
function call(port: number | undefined, ca: string, body: string | Buffer = review(), path = PATH): Promise<Answer> {
  const agent = new Agent({ keepAlive: false, ca });
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method: 'POST', headers, agent }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(parts).toString() }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const review = (retention = 1): string => JSON.stringify(reviewOf('CREATE', { retention }));

function served(port: number | undefined): Promise<PeerCertificate> {
  return new Promise((resolve, reject) => {
    const socket: TLSSocket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate());
      socket.destroy();
    });
    socket.on('error', reject);
  });
}

describe('a program with webhooks', () => {
  it('is ready when the configurations trust its certificate, and not before', async () => {
    const set = hooks();
    const started = start(set);
    await vi.waitFor(async () => {
      expect(await readyz(started)).toMatch(/^503 .*MutatingWebhookConfiguration backup is not there/su);
    }, WAIT);
    await installed(set);
    await ready(started);
    expect(await readyz(started)).toContain('[+]webhooks backup ready');
    const { port } = started.serving;
    expect(JSON.parse((await call(port, await bundle())).body).response).toMatchObject({ allowed: true });
    expect(JSON.parse((await call(port, await bundle(), review(0))).body).response).toMatchObject({ allowed: false });
    const mutating = await env.cluster.get(mutatingWebhookConfigurations, { name: 'backup' });
    expect(mutating.webhooks?.[0]?.clientConfig.caBundle).toBe(Buffer.from(await bundle()).toString('base64'));
    expect(mutating.metadata.managedFields?.map(({ manager: by }) => by)).toContain('listwatch-webhooks');
    await expect(call(port, ownPair(DAY).ca)).rejects.toThrow();
    const metrics = await started.program.registry.metrics();
    expect(metrics).toContain(`controller_runtime_webhook_requests_total{webhook="${PATH}",code="200"} 2`);
    expect(metrics).toContain(
      `listwatch_webhook_decisions_total{webhook="${PATH}",operation="CREATE",decision="denied"} 1`,
    );
    expect(metrics).toContain('listwatch_webhook_ca_bundle_writes_total 2');
  });

  it('puts its authority back when somebody overwrites it', async () => {
    const set = hooks();
    await installed(set);
    const started = start(set);
    await ready(started);
    const before = await bundle();
    await installed(set); // as kubectl replace: without a caBundle
    await vi.waitFor(async () => expect(await bundle()).toBe(before), WAIT);
    await vi.waitFor(() => expect(started.serving.notReady).toBeUndefined(), WAIT);
  });

  it('puts its authority into the CRDs whose versions it converts', async () => {
    const old = { ...backups, version: 'v1alpha1' };
    const set = webhooks().convert(
      { v1alpha1: old, v1: backups },
      { v1alpha1: { v1: (object) => object }, v1: { v1alpha1: (object) => object } },
    );
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
    const version = (name: string): object => ({ name, served: true, storage: name === 'v1', schema });
    const crd = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'backups.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'backups', singular: 'backup', kind: 'Backup', listKind: 'BackupList' },
        versions: [version('v1alpha1'), version('v1')],
      },
    };
    await env.apply(webhookManifests(set, { name: 'backup', url: 'https://127.0.0.1:9443', crds: [crd] }));
    const started = start(set);
    await ready(started);
    const { spec } = await env.cluster.get(customResourceDefinitions, { name: 'backups.example.com' });
    expect(spec.conversion?.webhook?.clientConfig?.caBundle).toBeDefined();
  });

  it('says which of its webhooks the configuration lacks', async () => {
    await installed(webhooks().validate(backups, () => {}));
    const started = start(
      webhooks()
        .validate(backups, () => {})
        .validate(backups, { name: 'size' }, () => {}),
    );
    await ready(started);
    const warnings = started.lines.filter(({ level }) => level === 'warn');
    expect(warnings).toEqual([expect.objectContaining({ missing: 'validate-size.backups.example.com' })]);
  });

  it('needs no more rights than webhookManifests gives it', async () => {
    const set = hooks();
    const serviceAccount = { namespace: 'default', name: 'backup' };
    await env.apply(webhookManifests(set, { name: 'backup', url: 'https://127.0.0.1:9443', serviceAccount }));
    const started = start(set, {}, env.as({ metadata: serviceAccount }));
    await ready(started);
    expect(started.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('stops with WEBHOOK_SERVER when its port is taken', async () => {
    const set = hooks();
    await installed(set);
    const first = start(set);
    await ready(first);
    const second = start(hooks(), { port: first.serving.port });
    await expect(second.running).rejects.toMatchObject({ code: 'WEBHOOK_SERVER' });
  });
});

async function typesOf({ registry }: Manager): Promise<readonly string[]> {
  return Array.from((await registry.metrics()).matchAll(/^# TYPE (\w+ \w+)$/gmu), ([, line = '']) => line);
}

it('the reference lists its metrics, with the same types', async () => {
  const page = readFileSync(new URL('../../../docs/reference/metrics.md', import.meta.url), 'utf8');
  const part = page.split('\n## The metrics of webhooks\n')[1] ?? '';
  const listed = Array.from(part.matchAll(/^\| `(\w+)` +\| (\w+)/gmu), ([, name, type]) => `${name} ${type}`);
  const bare = new Set(await typesOf(manager(env.cluster, { health: false })));
  const shown = (await typesOf(start(hooks()).program)).filter((line) => !bare.has(line));
  expect(listed.toSorted()).toEqual(shown.toSorted());
});

describe('replicas', () => {
  it('share one certificate, whoever makes it', async () => {
    const set = hooks();
    await installed(set);
    const started = [start(set), start(set), start(set)];
    await Promise.all(started.map(ready));
    const prints = await Promise.all(started.map(({ serving }) => served(serving.port)));
    await vi.waitFor(() => expect(new Set(prints.map(({ fingerprint256 }) => fingerprint256)).size).toBe(1), WAIT);
    const { items } = await env.cluster.list(secrets, { namespace: 'default' });
    expect(items.map(({ metadata, type }) => [metadata.name, type])).toEqual([
      ['backup-webhook-certificate', 'kubernetes.io/tls'],
    ]);
  });

  it('renew their certificate while calls run, and no call fails', async () => {
    const set = hooks();
    await installed(set);
    // So little is left of it that the next one is due.
    const [ending, older] = [ownPair(120_000), ownPair(240_000)];
    await env.cluster.create(secrets, secretOf(ending, `${ending.ca}${older.ca}`));
    const certificate = { overlapMs: 2000 };
    const started = [start(set, { certificate }), start(set, { certificate })];
    await Promise.all(started.map(ready));
    const seen = started.map(() => new Set<string>());
    const failures: unknown[] = [];
    while (seen.some(({ size }) => size < 2)) {
      // An API server knows the bundle of a moment ago.
      const ca = await bundle();
      for (const [index, { serving }] of started.entries()) {
        await call(serving.port, ca).catch((error: unknown) => failures.push(error));
        seen[index]?.add((await served(serving.port)).fingerprint256);
      }
    }
    expect(failures).toEqual([]);
    // Both replicas went from one certificate to the same other one.
    expect(seen[0]).toEqual(seen[1]);
    const trusted = await bundle();
    expect(trusted).toContain(ending.ca.trim());
    expect(trusted).not.toContain(older.ca.trim());
    expect(trusted.match(/BEGIN CERTIFICATE/gu)?.length).toBe(2);
    const { data, metadata } = await env.cluster.get(secrets, { namespace: 'default', name: SECRET });
    expect(Object.keys(data ?? {}).toSorted()).toEqual(['ca.crt', 'tls.crt', 'tls.key']);
    expect(metadata.annotations ?? {}).toEqual({});
  });

  it('replace a certificate at once that has ended, or that is for another address', async () => {
    const set = hooks();
    await installed(set);
    const other = newServingPair(
      'backup',
      { dnsNames: ['other'], ipAddresses: [] },
      { now: Date.now(), lifetimeMs: DAY },
    );
    await env.cluster.create(secrets, secretOf(other, other.ca));
    const started = start(set);
    await ready(started);
    expect((await call(started.serving.port, await bundle())).status).toBe(200);
  });
});

describe('files of somebody else', () => {
  it('are served, read again when they change, and kept while they are broken', async () => {
    await env.close();
    const clock = new FakeClock({ now: Date.now() });
    env = await startTestServer({ clock });
    const folder = await mkdtemp(join(tmpdir(), 'webhook-files-'));
    const files = { cert: join(folder, 'tls.crt'), key: join(folder, 'tls.key'), ca: join(folder, 'ca.crt') };
    const put = async ({ cert, key, ca }: { cert: string; key: string; ca: string }): Promise<void> => {
      await Promise.all([writeFile(files.cert, cert), writeFile(files.key, key), writeFile(files.ca, ca)]);
    };
    const [first, second] = [ownPair(DAY), ownPair(DAY)];
    await put(first);
    const set = hooks();
    await installed(set);
    const started = start(set, { certificate: { files } });
    const { serving, program } = started;
    await ready(started);
    expect((await call(serving.port, first.ca)).status).toBe(200);
    await put({ ...second, key: 'no key' });
    await vi.waitFor(async () => {
      await clock.advance(5000);
      expect(await program.registry.metrics()).toMatch(/certwatcher_read_certificate_errors_total [1-9]/u);
    }, WAIT);
    expect((await call(serving.port, first.ca)).status).toBe(200);
    await put(second);
    await vi.waitFor(async () => {
      await clock.advance(5000);
      expect((await call(serving.port, second.ca)).status).toBe(200);
    }, WAIT);
    await ready(started);
    await rm(folder, { recursive: true });
  });
});

describe('a stop', () => {
  it('lets calls end, and takes new ones until the API server knows', async () => {
    const gates = new Set<() => void>();
    const set = webhooks().validate(
      backups,
      () => new Promise<undefined>((resolve) => gates.add(() => resolve(undefined))),
    );
    await installed(set);
    const started = start(set, { drainMs: 1000 });
    await ready(started);
    const ca = await bundle();
    const { port } = started.serving;
    const early = call(port, ca);
    await vi.waitFor(() => expect(gates.size).toBe(1), WAIT);
    started.stop.abort();
    await vi.waitFor(() => expect(started.serving.notReady).toBe('the server of the webhooks stops'), WAIT);
    const late = call(port, ca);
    await vi.waitFor(() => expect(gates.size).toBe(2), WAIT);
    for (const open of gates) open();
    expect((await early).status).toBe(200);
    expect((await late).headers['connection']).toBe('close');
    await started.running;
    await expect(call(port, ca)).rejects.toThrow();
  });
});

describe('a connection on which nothing is asked', () => {
  it('does not keep the program', async () => {
    const set = hooks();
    await installed(set);
    const started = start(set);
    await ready(started);
    const socket = connect({ host: '127.0.0.1', port: started.serving.port, rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    socket.on('error', () => {}).resume();
    const closed = once(socket, 'close');
    started.stop.abort();
    await started.running;
    await closed;
  });
});

describe('strangers', () => {
  it('are cut off: large bodies, other paths, and what is no TLS', async () => {
    const set = webhooks({ maxBodyBytes: 10_000 }).validate(backups, () => {});
    await installed(set);
    const started = start(set);
    await ready(started);
    const ca = await bundle();
    const { port } = started.serving;
    expect((await call(port, ca, Buffer.alloc(20_000), PATH)).status).toBe(413);
    expect((await call(port, ca, review(), '/healthz')).status).toBe(404);
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
    expect((await call(port, ca)).status).toBe(200);
    const metrics = await started.program.registry.metrics();
    expect(metrics).toContain('controller_runtime_webhook_requests_total{webhook="unknown",code="404"} 1');
  });

  it('are cut off when they pipeline, and no more of their calls are started', async () => {
    let calls = 0;
    let ended = 0;
    const set = webhooks().validate(backups, async ({ signal }) => {
      calls++;
      await once(signal, 'abort');
      ended++;
    });
    await installed(set);
    const started = start(set);
    await ready(started);
    const { port } = started.serving;
    const body = review();
    const head = `POST ${PATH} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false });
    socket.on('error', () => {}).resume();
    socket.write((head + body).repeat(300));
    await vi.waitFor(() => expect(socket.closed).toBe(true), WAIT);
    expect(calls).toBeLessThanOrEqual(3);
    // Those behind the first, too, although they never had their turn.
    await vi.waitFor(() => expect(ended).toBe(calls), WAIT);
    expect((await call(port, await bundle(), review(), '/healthz')).status).toBe(404);
  });
});
