import { randomUUID } from 'node:crypto';
import { type EtcdProcess, needs, startEtcd } from '@listwatch/conformance/parts';
import type {
  AbortOptions,
  Change,
  CommitResult,
  GetResult,
  ReadOptions,
  StorageWatch,
  WatchBatch,
  WatchOptions,
} from '@listwatch/storage';
import { ForwardingEngine } from '@listwatch/storage/internal';
import { answersProgressInOrder, createEtcdEngine } from '@listwatch/storage-etcd';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ApiServer, createApiServer } from '../src/index.ts';

const ADMIN = { user: { name: 'admin', groups: ['system:masters'] } };
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const WAIT = { timeout: 30_000, interval: 50 };

interface Answer {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- an object of the API
  readonly body: any;
}

async function call(server: ApiServer, method: string, path: string, body?: object): Promise<Answer> {
  const response = await server.handle(
    {
      method,
      path,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body: body === undefined ? undefined : Buffer.from(JSON.stringify(body)),
    },
    ADMIN,
  );
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body) chunks.push(Buffer.from(chunk));
  return { status: response.status, body: JSON.parse(Buffer.concat(chunks).toString()) };
}

function definition(group: string, plural: string, names: object): object {
  const schema = { openAPIV3Schema: { type: 'object' } };
  return {
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Cluster',
      names: { plural, ...names },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
}

/** Its watches stop after they have delivered the creation of `last`, until `release`. It notes what is read and written. */
class LaggingEngine extends ForwardingEngine {
  readonly calls: string[] = [];
  /** Updates wait for this before they are committed. */
  updates: Promise<void> | undefined;
  /** Undefined: nothing is held back. */
  last: string | undefined;
  #open: (() => void) | undefined;
  #gate: Promise<void> | undefined;

  get isHeld(): boolean {
    return this.#gate !== undefined;
  }

  release(): void {
    this.last = undefined;
    this.#open?.();
  }

  override get(key: string, options?: ReadOptions): Promise<GetResult> {
    this.calls.push(`get ${key}`);
    return super.get(key, options);
  }

  override async commit(change: Change, options?: AbortOptions): Promise<CommitResult> {
    this.calls.push(`commit ${change.key}`);
    if (change.expected !== 0n) await this.updates;
    return super.commit(change, options);
  }

  override watch(prefix: string, options: WatchOptions): StorageWatch {
    const inner = super.watch(prefix, options);
    return {
      requestProgress: () => inner.requestProgress(),
      [Symbol.asyncIterator]: () => this.#batches(inner),
    };
  }

  async *#batches(inner: StorageWatch): AsyncGenerator<WatchBatch, undefined> {
    for await (const batch of inner) {
      await this.#gate;
      const { last } = this;
      const at = last === undefined ? -1 : batch.events.findIndex(({ key }) => key.endsWith(last));
      if (at < 0) {
        yield batch;
        continue;
      }
      this.#gate ??= new Promise((resolve) => {
        this.#open = resolve;
      });
      const [before, after] = [batch.events.slice(0, at + 1), batch.events.slice(at + 1)];
      yield { events: before, revision: before.at(-1)?.revision ?? batch.revision };
      await this.#gate;
      yield { events: after, revision: batch.revision };
    }
    return undefined;
  }
}

describe('what must be unique between two servers on one etcd', needs('etcd'), () => {
  let etcd: EtcdProcess;
  let engines: LaggingEngine[];
  let servers: ApiServer[];

  beforeAll(async () => {
    etcd = await startEtcd();
  }, 60_000);
  afterAll(() => etcd.stop());

  beforeEach(async () => {
    const root = `/${randomUUID()}/`;
    const options = { endpoints: [etcd.endpoint], root, compaction: 'off' } as const;
    const progressRequests = await answersProgressInOrder(options);
    engines = [0, 1].map(() => new LaggingEngine(createEtcdEngine({ ...options, progressRequests })));
    servers = engines.map((engine) => createApiServer({ engine }));
    for (const server of servers) await server.start();
  });
  afterEach(async () => {
    for (const server of servers) await server.close();
    for (const engine of engines) await engine.close();
  });

  function serverOf(index: number): ApiServer {
    return servers[index % 2] ?? expect.fail('there are two servers');
  }

  /** The condition of a definition once the server has looked at it. */
  async function namesAccepted(
    index: number,
    name: string,
  ): Promise<{ readonly status: string; readonly reason: string }> {
    return vi.waitFor(async () => {
      const { body } = await call(serverOf(index), 'GET', `${DEFINITIONS}/${name}`);
      const conditions: readonly { readonly type: string; readonly status: string; readonly reason: string }[] =
        body.status?.conditions ?? [];
      return conditions.find(({ type }) => type === 'NamesAccepted') ?? expect.fail('it has no names yet');
    }, WAIT);
  }

  it('of two definitions that want one kind, created through both at once, one gets it', async () => {
    const groups = Array.from({ length: 12 }, (_, n) => `g${n}.example.com`);
    await Promise.all(
      groups.flatMap((group, n) =>
        ['as', 'bs'].map(async (plural, index) => {
          const names = { kind: 'Thing', singular: plural.slice(0, 1), shortNames: ['th'] };
          // In every other group the first one goes to the second server.
          const answer = await call(serverOf(index + n), 'POST', DEFINITIONS, definition(group, plural, names));
          expect(answer.status).toBe(201);
        }),
      ),
    );
    for (const group of groups) {
      const found = await Promise.all(['as', 'bs'].map((plural) => namesAccepted(0, `${plural}.${group}`)));
      expect(found.map(({ status }) => status).toSorted(), group).toEqual(['False', 'True']);
      expect(found.find(({ status }) => status === 'False')?.reason).toMatch(/^(?:Kind|ListKind)Conflict$/u);
    }
  }, 120_000);

  it('a server whose caches are behind does not give out a kind that another one has just given away', async () => {
    const group = 'lag.example.com';
    const [ahead, behind] = engines;
    if (ahead === undefined || behind === undefined) expect.fail('there are two engines');
    const open: (() => void)[] = [];
    for (const engine of engines) engine.updates = new Promise((resolve) => open.push(resolve));
    behind.last = `/bs.${group}`;
    for (const plural of ['as', 'bs']) {
      const answer = await call(serverOf(0), 'POST', DEFINITIONS, definition(group, plural, { kind: 'Thing' }));
      expect(answer.status).toBe(201);
    }
    // The second server knows of both, and of nothing that is written from now on.
    await vi.waitFor(() => expect(behind.isHeld).toBe(true), WAIT);
    open[0]?.();
    expect(await namesAccepted(0, `as.${group}`)).toMatchObject({ status: 'True' });
    expect(await namesAccepted(0, `bs.${group}`)).toMatchObject({ status: 'False' });
    open[1]?.();
    const seen = (): number => behind.calls.filter((line) => line.includes(`bs.${group}`)).length;
    // It looks at the second definition: it commits, or it finds that others have decided since.
    await vi.waitFor(
      () => expect(behind.calls.join('\n')).toMatch(/commit \S+bs\.lag|get \/claims\/definitions/u),
      WAIT,
    );
    const before = seen();
    behind.release();
    await vi.waitFor(() => expect(seen()).toBeGreaterThan(before), WAIT);
    for (const index of [0, 1]) {
      expect(await namesAccepted(index, `as.${group}`)).toMatchObject({ status: 'True' });
      expect(await namesAccepted(index, `bs.${group}`)).toMatchObject({ status: 'False', reason: 'ListKindConflict' });
    }
  }, 60_000);

  it('a kind that its definition gives up goes to the one that waits for it, through the other server', async () => {
    const group = 'given.example.com';
    for (const [index, plural] of ['as', 'bs'].entries()) {
      await call(serverOf(index), 'POST', DEFINITIONS, definition(group, plural, { kind: 'Thing' }));
      await namesAccepted(index, `${plural}.${group}`);
    }
    expect(await namesAccepted(0, `bs.${group}`)).toMatchObject({ status: 'False' });
    expect((await call(serverOf(1), 'DELETE', `${DEFINITIONS}/as.${group}`)).status).toBe(200);
    await vi.waitFor(async () => expect(await namesAccepted(0, `bs.${group}`)).toMatchObject({ status: 'True' }), WAIT);
  }, 60_000);

  it('a name is given once: of two creates one gets 409, and generated names differ', async () => {
    const maps = '/api/v1/namespaces/default/configmaps';
    for (let n = 0; n < 5; n += 1) {
      const both = await Promise.all(
        [0, 1].map((i) => call(serverOf(i), 'POST', maps, { metadata: { name: `n${n}` } })),
      );
      expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
    }
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, i) => call(serverOf(i), 'POST', maps, { metadata: { generateName: 'g-' } })),
    );
    expect(new Set(made.map(({ body }) => body.metadata.name)).size).toBe(20);
  });

  it('a quota is not exceeded by what both take at once', async () => {
    const quotas = '/api/v1/namespaces/default/resourcequotas';
    const hard = { 'count/configmaps': '7' };
    const made = await call(serverOf(0), 'POST', quotas, { metadata: { name: 'q' }, spec: { hard } });
    // What the quota controller does.
    const status = { hard, used: { 'count/configmaps': '0' } };
    expect((await call(serverOf(0), 'PUT', `${quotas}/q/status`, { ...made.body, status })).status).toBe(200);
    for (const index of [0, 1]) {
      await vi.waitFor(async () => {
        const { body } = await call(serverOf(index), 'GET', `${quotas}?resourceVersion=0`);
        expect(body.items[0]?.status.hard).toEqual(hard);
      }, WAIT);
    }
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        call(serverOf(n), 'POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: `q${n}` } }),
      ),
    );
    expect(answers.filter(({ status: code }) => code === 201)).toHaveLength(7);
    expect(answers.filter(({ status: code }) => code === 403)).toHaveLength(13);
  });

  it('two default PriorityClasses can be made at once, as on kube-apiservers; all servers then take the same one', async () => {
    const classes = '/apis/scheduling.k8s.io/v1/priorityclasses';
    await Promise.all(
      ['b', 'a'].map((name, index) =>
        call(serverOf(index), 'POST', classes, { metadata: { name }, value: 5, globalDefault: true }),
      ),
    );
    const { body } = await call(serverOf(0), 'GET', classes);
    const marked: readonly string[] = body.items
      .filter((one: { readonly globalDefault?: boolean }) => one.globalDefault === true)
      .map((one: { readonly metadata: { readonly name: string } }) => one.metadata.name);
    expect(marked.length).toBeGreaterThanOrEqual(1);
    const pod = { metadata: { generateName: 'p-' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    await vi.waitFor(async () => {
      const pods = await Promise.all(
        [0, 1].map((i) => call(serverOf(i), 'POST', '/api/v1/namespaces/default/pods', pod)),
      );
      expect(pods.map((one) => one.body.spec.priorityClassName)).toEqual([marked[0], marked[0]]);
    }, WAIT);
    // Once it is known, another one is refused through both.
    for (const index of [0, 1]) {
      const late = { metadata: { name: `late${index}` }, value: 9, globalDefault: true };
      expect(await call(serverOf(index), 'POST', classes, late)).toMatchObject({ status: 403 });
    }
  });

  it('a namespace that is deleted through one takes nothing through the other', async () => {
    const path = '/api/v1/namespaces/leaving';
    const namespace = { metadata: { name: 'leaving' }, spec: { finalizers: ['kubernetes'] } };
    expect((await call(serverOf(0), 'POST', '/api/v1/namespaces', namespace)).status).toBe(201);
    await vi.waitFor(async () => {
      expect((await call(serverOf(1), 'POST', `${path}/configmaps`, { metadata: { name: 'early' } })).status).toBe(201);
    }, WAIT);
    const [deleted, ...answers] = await Promise.all([
      call(serverOf(0), 'DELETE', path),
      ...Array.from({ length: 20 }, (_, n) =>
        call(serverOf(1), 'POST', `${path}/configmaps`, { metadata: { name: `c${n}` } }),
      ),
    ]);
    const since = BigInt(deleted.body.metadata.resourceVersion);
    for (const { status, body } of answers) {
      if (status === 201) expect(BigInt(body.metadata.resourceVersion)).toBeLessThan(since);
      else expect(status).toBe(403);
    }
    expect((await call(serverOf(1), 'POST', `${path}/configmaps`, { metadata: { name: 'late' } })).status).toBe(403);
  });
});
