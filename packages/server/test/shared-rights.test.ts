/** Rights of two servers on one store, of which one hears of changes late. */

import { randomUUID } from 'node:crypto';
import { type EtcdProcess, needs, startEtcd } from '@listwatch/conformance/parts';
import { createMemoryEngine, type StorageEngine, StorageError } from '@listwatch/storage';
import { answersProgressInOrder, createEtcdEngine } from '@listwatch/storage-etcd';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { binding } from '../src/access/rbac/rbac-objects.fixture.ts';
import { oracleAllows } from '../src/access/rbac/rbac-oracle.fixture.ts';
import {
  type AccessObject,
  accessKey,
  Dice,
  NAMESPACES,
  randomObject,
  randomRequest,
} from '../src/access/rbac/rbac-world.fixture.ts';
import { type AskOptions, InProcessServer, type Json } from '../src/start/in-process-server.fixture.ts';
import { accessCollection, accessReview, isValidAccess } from './access-requests.fixture.ts';
import { SteeredEngine } from './steered-engine.fixture.ts';

const GROUP = 'rbac.authorization.k8s.io';
const RBAC = `/apis/${GROUP}/v1`;
const BOB: AskOptions = { user: { name: 'bob', groups: [] } };
const WAIT = { timeout: 30_000, interval: 20 };
const SEED = Number(process.env['RBAC_SEED'] ?? 22);

const WRITE = { verbs: ['create', 'update'], apiGroups: [GROUP], resources: ['roles', 'rolebindings'] };
const SECRETS = { verbs: ['get'], apiGroups: [''], resources: ['secrets'] };
const PODS = { verbs: ['list'], apiGroups: [''], resources: ['pods'] };
const verbOn = (verb: string, resource: string): object => ({
  verbs: [verb],
  apiGroups: [GROUP],
  resources: [resource],
});
const NAMES = Array.from({ length: 9000 }, (_, i) => `name-${i}`.padEnd(30, 'x'));

/** What bob asks the late server, after another one has made him or the role that he binds different. */
interface Loss {
  readonly what: string;
  readonly rules: readonly object[];
  /** The rules of `role` after the change. */
  readonly change: { readonly role: 'bobs' | 'small'; readonly rules: readonly object[] };
  readonly ask: { readonly plural: 'rolebindings' | 'roles'; readonly body: object };
}

const bobs = (...rules: readonly object[]): Loss['change'] => ({ role: 'bobs', rules });
const newRole = (...rules: readonly object[]): Loss['ask'] => ({
  plural: 'roles',
  body: { metadata: { name: 'made' }, rules },
});
const bindSmall: Loss['ask'] = {
  plural: 'rolebindings',
  body: binding('made', { kind: 'ClusterRole', name: 'small' }, [{ kind: 'User', name: 'eve' }], 'default'),
};

const LOSSES: readonly Loss[] = [
  {
    what: 'escalate',
    rules: [WRITE, verbOn('escalate', 'roles')],
    change: bobs(WRITE),
    ask: newRole(SECRETS),
  },
  {
    what: 'escalate, for a role that is worked on in another thread',
    rules: [WRITE, verbOn('escalate', 'roles')],
    change: bobs(WRITE),
    ask: newRole({ ...SECRETS, resourceNames: NAMES }),
  },
  {
    what: 'bind',
    rules: [WRITE, verbOn('bind', 'clusterroles')],
    change: bobs(WRITE),
    ask: bindSmall,
  },
  { what: 'the rules that he grants', rules: [WRITE, SECRETS], change: bobs(WRITE), ask: newRole(SECRETS) },
  { what: 'the rules of the role that he binds', rules: [WRITE, PODS], change: bobs(WRITE), ask: bindSmall },
  {
    what: 'nothing, but the role that he binds has got more',
    rules: [WRITE, PODS],
    change: { role: 'small', rules: [PODS, SECRETS] },
    ask: bindSmall,
  },
];

/** May bob list pods? From the cache: without a version the list would wait for the feed. */
const pods = async (server: InProcessServer): Promise<number> =>
  (await server.ask('GET', '/api/v1/namespaces/default/pods?resourceVersion=0', undefined, BOB)).status;

/** Two views of one store, each for one server, and how they end. */
interface SharedStore {
  readonly views: readonly [StorageEngine, StorageEngine];
  readonly close: () => Promise<unknown>;
}

function suite(open: () => Promise<SharedStore>): void {
  let store: SharedStore;
  let view: SteeredEngine;
  let first: InProcessServer;
  /** Its feed can be held. */
  let late: InProcessServer;
  let release: () => void;

  beforeEach(async () => {
    store = await open();
    view = new SteeredEngine(store.views[1]);
    release = () => {};
    first = await InProcessServer.start({ engine: new SteeredEngine(store.views[0]) });
    late = await InProcessServer.start({ engine: view });
  });

  afterEach(async () => {
    release();
    await Promise.all([first, late].map((server) => server[Symbol.asyncDispose]()));
    await store.close();
  });

  async function bindBob(rules: readonly object[]): Promise<void> {
    await first.ok('POST', `${RBAC}/clusterroles`, { metadata: { name: 'bobs' }, rules });
    await first.ok(
      'POST',
      `${RBAC}/clusterrolebindings`,
      binding('bobs', { kind: 'ClusterRole', name: 'bobs' }, [{ kind: 'User', name: 'bob' }]),
    );
  }

  it('a role and its binding count on a server when its feed has them, whichever wrote them', async () => {
    release = view.holdFeed();
    await bindBob([PODS]);
    await vi.waitFor(async () => expect(await pods(first)).toBe(200), WAIT);
    expect(await pods(late)).toBe(403);
    release();
    await vi.waitFor(async () => expect(await pods(late)).toBe(200), WAIT);
    release = view.holdFeed();
    await first.ok('DELETE', `${RBAC}/clusterrolebindings/bobs`);
    // As between kube-apiservers, a right that was taken away lasts as long as the feed is late.
    await vi.waitFor(async () => expect(await pods(first)).toBe(403), WAIT);
    expect(await pods(late)).toBe(200);
    release();
    await vi.waitFor(async () => expect(await pods(late)).toBe(403), WAIT);
  });

  it.each(LOSSES)('who has lost $what on one server gives no more away on one that is late', async (loss) => {
    const { rules, change, ask } = loss;
    await first.ok('POST', `${RBAC}/clusterroles`, { metadata: { name: 'small' }, rules: [PODS] });
    await bindBob(rules);
    const target = `${RBAC}/namespaces/default/${ask.plural}`;
    // It knows of his rights: without the change it does what he asks.
    const dry = `${target}?dryRun=All`;
    await vi.waitFor(async () => expect((await late.ask('POST', dry, ask.body, BOB)).status).toBe(201), WAIT);
    release = view.holdFeed();
    await first.ok('PUT', `${RBAC}/clusterroles/${change.role}`, {
      metadata: { name: change.role },
      rules: change.rules,
    });
    const reads = vi.spyOn(view, 'revision');
    let isOver = false;
    const asked = late.ask('POST', target, ask.body, BOB).finally(() => {
      isOver = true;
    });
    await vi.waitFor(() => expect(isOver || reads.mock.calls.length > 0).toBe(true), WAIT);
    release();
    expect((await asked).status).toBe(403);
    expect((await first.ask('GET', `${target}/made`)).status).toBe(404);
  });

  it('who may escalate grants nothing while the store does not say what is newest', async () => {
    await bindBob([WRITE, verbOn('escalate', 'roles')]);
    const target = `${RBAC}/namespaces/default/roles`;
    const { body } = newRole(SECRETS);
    const ask = async (): Promise<number> => (await late.ask('POST', target, body, BOB)).status;
    await vi.waitFor(
      async () => expect((await late.ask('POST', `${target}?dryRun=All`, body, BOB)).status).toBe(201),
      WAIT,
    );
    const reads = vi.spyOn(view, 'revision').mockRejectedValue(new StorageError('UNAVAILABLE', 'the test says so'));
    expect(await ask()).toBeGreaterThanOrEqual(500);
    reads.mockRestore();
    expect((await first.ask('GET', `${target}/made`)).status).toBe(404);
    expect(await ask()).toBe(201);
  });

  it(`decide as a walk over all rules after random changes through either, one that is late by the rules that it knows (RBAC_SEED=${SEED})`, async () => {
    const dice = new Dice(SEED);
    const servers = [first, late];
    const known = new Map<string, AccessObject>();
    for (const name of NAMESPACES) await first.ok('POST', '/api/v1/namespaces', { metadata: { name } });
    let allowed = 0;
    let differing = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = [...known.values()];
      // Every other round the late server hears of nothing.
      const isLate = round % 2 === 1;
      if (isLate) release = view.holdFeed();
      for (let change = 0; change < CHANGES_A_ROUND; change += 1)
        await randomChange(dice, isLate ? first : dice.one(servers), known);
      // A list without a version waits until the feed has reached the store.
      for (const server of isLate ? [first] : servers) await server.ok('GET', '/api/v1/namespaces');
      for (let i = 0; i < QUESTIONS_A_ROUND; i += 1) {
        const question = randomRequest(dice);
        const expected = oracleAllows(known.values(), question);
        if (expected) allowed += 1;
        const answers = await Promise.all(servers.map((server) => server.ok('POST', REVIEWS, accessReview(question))));
        const decisions = answers.map(({ status }: Json) => status.allowed);
        const older = isLate ? oracleAllows(before, question) : expected;
        if (older !== expected) differing += 1;
        expect(decisions, `round ${round}: ${JSON.stringify(question)}`).toEqual([expected, older]);
      }
      release();
    }
    // Questions with the same answer would show nothing.
    expect(allowed).toBeGreaterThan(ROUNDS);
    // Nor would a server that is late but asks the store.
    expect(differing).toBeGreaterThan(0);
  }, 120_000);
}

const REVIEWS = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
const ROUNDS = 12;
const CHANGES_A_ROUND = 25;
const QUESTIONS_A_ROUND = 40;

/** Creates, replaces or removes a role or binding through one of the servers. */
async function randomChange(dice: Dice, server: InProcessServer, known: Map<string, AccessObject>): Promise<void> {
  const object = randomObject(dice);
  if (!isValidAccess(object)) return;
  const target = accessCollection(object);
  // The reference of a binding cannot be changed, so it is made anew.
  await server.ask('DELETE', `${target}/${object.metadata.name}`);
  if (dice.next() < 0.3 && known.delete(accessKey(object))) return;
  await server.ok('POST', target, object);
  known.set(accessKey(object), object);
}

describe('two servers on one memory', () => {
  suite(async () => {
    const engine = createMemoryEngine();
    return { views: [engine, engine], close: () => engine.close() };
  });
});

describe('two servers on one etcd', needs('etcd'), () => {
  let etcd: EtcdProcess;

  beforeAll(async () => {
    etcd = await startEtcd();
  });

  afterAll(async () => {
    await etcd.stop();
  });

  suite(async () => {
    const where = { endpoints: [etcd.endpoint], root: `/${randomUUID()}` };
    const progressRequests = await answersProgressInOrder(where);
    const open = (): StorageEngine => createEtcdEngine({ compaction: 'off', progressRequests, ...where });
    const views = [open(), open()] as const;
    return { views, close: () => Promise.all(views.map((view) => view.close())) };
  });
});
