import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { InProcessAnswer } from '../src/contract/in-process-webhooks.ts';
import { type Asked, InProcessServer } from '../src/start/in-process-server.fixture.ts';

const PATH = '/api/v1/namespaces/default/configmaps';
const CONFIGURATIONS = '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations';
/** Node publishes each thread that is started. */
const CHANNEL = 'worker_threads';
const PATIENT = { timeout: 60_000, interval: 20 };

/** The threads, the last one last. */
const threads: Worker[] = [];
const heard: string[] = [];
/** The calls of the webhook that have no answer yet. */
const calls: (() => void)[] = [];
let server: InProcessServer;

function onThread(message: unknown): void {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what Node documents for this channel
  threads.push((message as { readonly worker: Worker }).worker);
}

/** Ends the thread in the middle of its work, as a lack of memory does. */
async function kill(): Promise<void> {
  await threads.at(-1)?.terminate();
}

async function webhook(review: Uint8Array): Promise<InProcessAnswer> {
  const { request } = JSON.parse(Buffer.from(review).toString());
  await new Promise<void>((resolve) => calls.push(resolve));
  const patch = Buffer.from(JSON.stringify([{ op: 'add', path: '/metadata/labels/seen', value: 'yes' }]));
  const response = {
    uid: request.uid,
    allowed: true,
    warnings: ['careful'],
    patchType: 'JSONPatch',
    patch: patch.toString('base64'),
  };
  const body = JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response });
  return { status: 200, contentType: 'application/json', retryAfter: '', body: Buffer.from(body) };
}

const create = (name: string, labels: object = {}): Promise<Asked> =>
  server.ask('POST', PATH, { metadata: { name, labels }, data: { k: 'v' } });

beforeAll(async () => {
  subscribe(CHANNEL, onThread);
  server = await InProcessServer.start({
    largeWriteBytes: 0,
    inProcessWebhooks: (_url, review) => webhook(review),
    onError: (error) => heard.push(String(error)),
  });
  const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] };
  await server.ok('POST', CONFIGURATIONS, {
    metadata: { name: 'hooks' },
    webhooks: [
      {
        name: 'a.example.com',
        clientConfig: { url: 'https://hook.example.com/a' },
        objectSelector: { matchLabels: { hooked: 'yes' } },
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        rules: [rule],
      },
    ],
  });
});
beforeEach(() => {
  heard.length = 0;
  calls.length = 0;
});
afterAll(async () => {
  unsubscribe(CHANNEL, onThread);
  await server[Symbol.asyncDispose]();
});

describe('a large write whose thread is lost', () => {
  it('while a webhook is asked is done again by another thread: stored once, with one warning', async () => {
    const written = create('asking', { hooked: 'yes' });
    await vi.waitFor(() => expect(calls).toHaveLength(1), PATIENT);
    const before = threads.length;
    await kill();
    await vi.waitFor(() => expect(calls).toHaveLength(2), PATIENT);
    expect(threads).toHaveLength(before + 1);
    for (const answer of calls) answer();
    const { status, body, headers } = await written;
    expect({ status, labels: body.metadata.labels }).toEqual({ status: 201, labels: { hooked: 'yes', seen: 'yes' } });
    expect(headers['warning']).toBe('299 - "careful"');
    expect(heard).toEqual(['ComputeError: the worker for large requests ended']);
    expect((await server.ok('GET', PATH)).items.map((item: typeof body) => item.metadata.name)).toContain('asking');
  });

  it('while it starts is told to try again, and the next one has a thread', async () => {
    await kill();
    const before = threads.length;
    const written = create('starting');
    await vi.waitFor(() => expect(threads.length).toBe(before + 1), PATIENT);
    await kill();
    const { status, body, headers } = await written;
    expect({ status, body, again: headers['retry-after'] }).toMatchObject({
      status: 503,
      body: { reason: 'ServiceUnavailable', message: 'the worker for large requests could not start' },
      again: '1',
    });
    expect((await create('starting')).status).toBe(201);
  });

  it('among many others is done by the next thread, and so are they', async () => {
    const writes = Array.from({ length: 40 }, (_, index) => create(`many-${index}`));
    const before = threads.length;
    await kill();
    await vi.waitFor(() => expect(threads.length).toBe(before + 1), PATIENT);
    const answers = await Promise.all(writes);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    const { items } = await server.ok('GET', PATH);
    expect(items.filter(({ metadata }: (typeof items)[0]) => metadata.name.startsWith('many-'))).toHaveLength(40);
  });
});
