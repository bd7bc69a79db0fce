import { needs, startKubeApiserver } from '@listwatch/conformance/parts';
import { ApiClient } from '@listwatch/conformance/server';
import { createMemoryEngine } from '@listwatch/storage';
import { describe, expect, it, vi } from 'vitest';
import { binding, role } from '../src/access/rbac/rbac-objects.fixture.ts';
import {
  type AccessObject,
  accessKey,
  Dice,
  NAMESPACES,
  randomObject,
  randomRequest,
} from '../src/access/rbac/rbac-world.fixture.ts';
import type { AccessAttributes } from '../src/contract/authorization.ts';
import { accessCollection, accessReview, isValidAccess } from './access-requests.fixture.ts';
import { startTestServer } from './test-server.ts';

const QUESTIONS = 20_000;
const CHANGES_A_ROUND = 30;
const QUESTIONS_A_ROUND = 400;
const AT_ONCE = 16;
const SEED = Number(process.env['RBAC_SEED'] ?? 22);

/** One of the two servers. */
class AccessSide {
  readonly #client: ApiClient;
  #rounds = 0;

  constructor(client: ApiClient) {
    this.#client = client;
  }

  async prepare(): Promise<void> {
    for (const name of NAMESPACES) await this.#post('/api/v1/namespaces', { metadata: { name } });
  }

  async set(object: AccessObject): Promise<void> {
    await this.remove(object);
    await this.#post(accessCollection(object), object);
  }

  async remove(object: AccessObject): Promise<void> {
    await this.#client.request('DELETE', `${accessCollection(object)}/${object.metadata.name}`);
  }

  /** Resolves when all that was written counts: each of the four kinds is followed on its own, in the order of its writes. */
  async settled(): Promise<void> {
    this.#rounds += 1;
    const name = `marker-${this.#rounds}`;
    const rules = [{ verbs: ['mark'], apiGroups: ['m'], resources: ['marks'] }];
    const subjects = [{ kind: 'User', name }] as const;
    await this.set(role(name, rules));
    await this.set(binding(name, { kind: 'ClusterRole', name }, subjects));
    await this.set(role(name, rules, 'n'));
    await this.set(binding(name, { kind: 'Role', name }, [{ kind: 'User', name: `${name}-n` }], 'n'));
    const none = { version: 'v1', subresource: '', name: '', path: '' };
    const mark = { ...none, verb: 'mark', isResource: true, group: 'm', resource: 'marks' };
    await vi.waitFor(async () => {
      const questions = [
        { ...mark, namespace: '', user: { name, groups: [] } },
        { ...mark, namespace: 'n', user: { name: `${name}-n`, groups: [] } },
      ];
      for (const question of questions) expect(await this.decision(question)).toBe('true ');
    }, 20_000);
  }

  /** Whether it is allowed; if not, the roles that do not exist. The order of bindings is not specified. */
  async decision(question: AccessAttributes): Promise<string> {
    const { status } = await this.#post('/apis/authorization.k8s.io/v1/subjectaccessreviews', accessReview(question));
    const { allowed, reason = '' } = status;
    return `${allowed} ${
      allowed
        ? ''
        : String(reason)
            .match(/\w+\.rbac\S+ "[^"]*"/gu)
            ?.toSorted()
            .join()
    }`;
  }

  // oxlint-disable-next-line typescript/no-explicit-any
  async #post(path: string, body: object): Promise<any> {
    const answer = await this.#client.request('POST', path, { body });
    if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.text}`);
    return JSON.parse(answer.text);
  }
}

describe('RBAC beside kube-apiserver', needs('kube-apiserver'), () => {
  it(`decides ${QUESTIONS} random questions alike, while roles and bindings change`, { timeout: 900_000 }, async () => {
    await using real = await startKubeApiserver();
    await using own = await startTestServer(createMemoryEngine());
    const clients = [new ApiClient(real), new ApiClient(own)];
    const sides = clients.map((client) => new AccessSide(client));
    const each = (work: (side: AccessSide) => Promise<unknown>): Promise<unknown> => Promise.all(sides.map(work));
    const dice = new Dice(SEED);
    const known = new Map<string, AccessObject>();
    let allowed = 0;
    await each((side) => side.prepare());
    for (let asked = 0; asked < QUESTIONS; asked += QUESTIONS_A_ROUND) {
      for (let change = 0; change < CHANGES_A_ROUND; change += 1) {
        const object = randomObject(dice);
        if (!isValidAccess(object)) continue;
        const isRemoved = dice.next() < 0.3 && known.delete(accessKey(object));
        if (!isRemoved) known.set(accessKey(object), object);
        await each((side) => (isRemoved ? side.remove(object) : side.set(object)));
      }
      await each((side) => side.settled());
      const questions = Array.from({ length: QUESTIONS_A_ROUND }, () => randomRequest(dice));
      for (let start = 0; start < questions.length; start += AT_ONCE) {
        await Promise.all(
          questions.slice(start, start + AT_ONCE).map(async (question) => {
            const [theirs, ours] = await Promise.all(sides.map((side) => side.decision(question)));
            expect({ question, decision: ours }).toEqual({ question, decision: theirs });
            if (ours?.startsWith('true') === true) allowed += 1;
          }),
        );
      }
    }
    // Questions that all have the same answer would show nothing.
    expect(allowed / QUESTIONS).toBeGreaterThan(0.1);
    expect(allowed / QUESTIONS).toBeLessThan(0.9);
    for (const client of clients) client.close();
  });
});
