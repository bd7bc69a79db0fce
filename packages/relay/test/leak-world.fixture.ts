/** Users with random rights before a relay and its upstream, both in this process: what one shows, the other must allow. */

import { setImmediate } from 'node:timers/promises';
import { type Cluster, connect, createLoopbackTransport } from '@listwatch/client';
import { type ApiServer, createApiServer, firstAuthenticator, tokenAuthenticator } from '@listwatch/server';
import type { IncomingRequest, Reply } from '@listwatch/server/internal';
import { createMemoryEngine } from '@listwatch/storage';
import type { UpstreamServer } from '../src/pass/upstream.ts';
import { assembleRelay, type RelayChanges } from '../src/start/create-relay.ts';
import type { Relay } from '../src/start/relay-options.ts';

export interface LeakWorldSize {
  readonly users: number;
  readonly namespaces: number;
  /** ConfigMaps of each namespace. */
  readonly objects: number;
}

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const GROUP = { apiGroup: 'rbac.authorization.k8s.io' } as const;
const VERBS = ['get', 'list', 'watch'] as const;
const ADMIN = 'admin';
const PROGRESS = /(?<=[?&])listwatchProgress=true&?/u;

/** Numbers that are the same for a seed. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  below(limit: number): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * limit);
  }

  oneOf<T>(values: readonly T[]): T {
    const value = values[this.below(values.length)];
    if (value === undefined) throw new RangeError('there is nothing to choose from');
    return value;
  }
}

/** Rights of a user or a group. */
interface Binding {
  readonly path: string;
  readonly name: string;
  readonly subject: string;
}

/** A request that has been answered. */
export interface LeakAnswer {
  readonly status: number;
  readonly body: string;
}

/** A relay whose clients are compared with the upstream. */
export class LeakWorld implements AsyncDisposable {
  readonly size: LeakWorldSize;
  readonly dice: Dice;
  readonly upstream: ApiServer;
  readonly #cluster: Cluster;
  #relay: Relay | undefined;
  readonly #bindings: Binding[] = [];
  /** Of its own: what else happens is the same for a seed. */
  readonly #togetherDice: Dice;
  #made = 0;

  private constructor(size: LeakWorldSize, seed: number, upstream: ApiServer, cluster: Cluster) {
    this.size = size;
    this.dice = new Dice(seed);
    this.#togetherDice = new Dice(seed + 1);
    this.upstream = upstream;
    this.#cluster = cluster;
  }

  static async start(size: LeakWorldSize, seed: number, changes: RelayChanges = {}): Promise<LeakWorld> {
    const tokens = new Map<string, { readonly name: string; readonly groups: readonly string[] }>([
      [ADMIN, { name: ADMIN, groups: ['system:masters'] }],
      ...Array.from(
        { length: size.users },
        (_, i) => [`user-${i}`, { name: `user-${i}`, groups: [groupOf(i)] }] as const,
      ),
    ]);
    const upstream = createApiServer({
      engine: createMemoryEngine(),
      authenticator: firstAuthenticator([tokenAuthenticator(tokens)]),
      enablePriorityAndFairness: false,
    });
    await upstream.start();
    // As a kube-apiserver, it does not say at once how far a quiet kind is: small reads of what is true now pass, and share answers.
    const transport = createLoopbackTransport({
      handle: ({ method, path, headers, body, signal }) =>
        upstream.handle({ method, path: path.replace(PROGRESS, ''), headers: flat(headers), body, signal }),
    });
    const cluster = await connect({ transport, token: ADMIN });
    const world = new LeakWorld(size, seed, upstream, cluster);
    for (let i = 0; i < size.namespaces; i += 1) await world.#fill(i);
    // Otherwise a large run would begin with refusals alone.
    for (let i = 0; i < size.users / 2; i += 1) await world.#give();
    world.#relay = await assembleRelay({ cluster, kinds: ['configmaps'], upstream: passingTo(upstream) }, changes);
    await world.relay.start();
    await world.#until(() => world.relay.state.access.signal);
    return world;
  }

  get relay(): Relay {
    if (this.#relay === undefined) throw new Error('there is no relay');
    return this.#relay;
  }

  get user(): string {
    return `user-${this.dice.below(this.size.users)}`;
  }

  /** A target that a user might ask for. */
  target(): string {
    const namespace = this.namespace;
    const name = `cm-${this.dice.below(this.size.objects)}`;
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    return this.dice.oneOf([
      `${path}?resourceVersion=0`,
      '/api/v1/configmaps?resourceVersion=0',
      `${path}/${name}?resourceVersion=0`,
      `${path}?resourceVersion=0&fieldSelector=metadata.name%3D${name}`,
      `${path}?resourceVersion=0&watch=true`,
      `${path}?resourceVersion=0&watch=true&fieldSelector=metadata.name%3D${name}`,
    ]);
  }

  /**
   * Users of all rights who ask at once for what is true now, each for one of two things: some of them share an answer that the relay has
   * asked for with its own login.
   */
  together(count: number): readonly { readonly user: string; readonly target: string }[] {
    const dice = this.#togetherDice;
    const targets = [0, 1].map(() => {
      const path = `/api/v1/namespaces/ns-${dice.below(this.size.namespaces)}/configmaps`;
      const named = `${path}?fieldSelector=metadata.name%3Dcm-${dice.below(this.size.objects)}`;
      return dice.oneOf([path, '/api/v1/configmaps', named, `${path}?limit=2`]);
    });
    return Array.from({ length: count }, () => ({
      user: `user-${dice.below(this.size.users)}`,
      target: dice.oneOf(targets),
    }));
  }

  /** The target of a watch. */
  watchTarget(): string {
    const path = `/api/v1/namespaces/${this.namespace}/configmaps?resourceVersion=0&watch=true`;
    const name = `cm-${this.dice.below(this.size.objects)}`;
    return this.dice.oneOf([
      path,
      `${path}&fieldSelector=metadata.name%3D${name}`,
      '/api/v1/configmaps?resourceVersion=0&watch=true',
    ]);
  }

  get namespace(): string {
    return `ns-${this.dice.below(this.size.namespaces)}`;
  }

  /** Gives or takes rights, and waits until the relay has heard of it. Says whose they are. */
  async changeRights(): Promise<(user: string) => boolean> {
    const heard = this.relay.state.access.changes;
    const bound = this.#bindings.length;
    const isLess = bound > this.size.users / 2 && this.dice.below(2) === 0;
    const [gone] = isLess ? this.#bindings.splice(this.dice.below(bound), 1) : [];
    if (gone !== undefined) await this.#write('DELETE', `${gone.path}/${gone.name}`);
    const { subject } = gone ?? (await this.#give());
    await this.#until(() => this.relay.state.access.changes > heard);
    return (user) => subject === user || subject === groupOf(Number(user.slice('user-'.length)));
  }

  async through(user: string, target: string): Promise<LeakAnswer> {
    return first(await this.relay.handle({ method: 'GET', path: target, headers: bearer(user) }));
  }

  async direct(user: string, target: string): Promise<LeakAnswer> {
    return first(await this.upstream.handle({ method: 'GET', path: target, headers: bearer(user) }));
  }

  /** Asks the relay for a watch, which stays open until its signal. */
  open(user: string, target: string, signal: AbortSignal): ReturnType<ApiServer['handle']> {
    return this.relay.handle({ method: 'GET', path: target, headers: bearer(user), signal });
  }

  async touch(namespace: string): Promise<void> {
    await this.#put(namespace, this.dice.below(this.size.objects));
  }

  /** An object of each namespace, without the dice: they are the same for a seed however often this is done. */
  async touchAll(): Promise<void> {
    for (let i = 0; i < this.size.namespaces; i += 1) await this.#put(`ns-${i}`, 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#relay?.close();
    await this.#cluster.close();
    await this.upstream.close();
  }

  async #fill(index: number): Promise<void> {
    const namespace = `ns-${index}`;
    await this.#write('POST', '/api/v1/namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: namespace },
    });
    for (let i = 0; i < this.size.objects; i += 1) await this.#put(namespace, i);
  }

  async #put(namespace: string, index: number): Promise<void> {
    this.#made += 1;
    const name = `cm-${index}`;
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    const object = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name },
      data: { of: namespace, n: String(this.#made) },
    };
    const created = await this.#write('POST', path, object);
    if (created === 409) await this.#write('PUT', `${path}/${name}`, object);
  }

  async #give(): Promise<Binding> {
    const { dice } = this;
    this.#made += 1;
    const name = `random-${this.#made}`;
    const isCluster = dice.below(6) === 0;
    const path = isCluster ? RBAC : `${RBAC}/namespaces/${this.namespace}`;
    const [role, binding] = isCluster ? ['ClusterRole', 'ClusterRoleBinding'] : ['Role', 'RoleBinding'];
    const resourceNames = dice.below(3) === 0 ? [`cm-${dice.below(this.size.objects)}`] : [];
    const verbs = VERBS.filter(() => dice.below(3) > 0);
    const rules = [
      { apiGroups: [''], resources: ['configmaps'], verbs: verbs.length > 0 ? verbs : ['get'], resourceNames },
    ];
    const subject =
      dice.below(5) === 0
        ? { ...GROUP, kind: 'Group', name: `group-${dice.below(7)}` }
        : { ...GROUP, kind: 'User', name: this.user };
    const apiVersion = 'rbac.authorization.k8s.io/v1';
    await this.#write('POST', `${path}/${role.toLowerCase()}s`, { apiVersion, kind: role, metadata: { name }, rules });
    const bindings = `${path}/${binding.toLowerCase()}s`;
    const roleRef = { ...GROUP, kind: role, name };
    await this.#write('POST', bindings, {
      apiVersion,
      kind: binding,
      metadata: { name },
      roleRef,
      subjects: [subject],
    });
    const given = { path: bindings, name, subject: subject.name };
    this.#bindings.push(given);
    return given;
  }

  async #write(method: 'DELETE' | 'POST' | 'PUT', path: string, body?: object): Promise<number> {
    const answer = await this.#cluster.raw(path, { method, body });
    await answer.text();
    if (!answer.ok && answer.status !== 409) throw new Error(`${method} ${path}: ${answer.status}`);
    return answer.status;
  }

  async #until(isTrue: () => boolean): Promise<void> {
    for (let i = 0; i < 20_000 && !isTrue(); i += 1) await new Promise((resolve) => setTimeout(resolve, 1));
    if (!isTrue()) throw new Error('the relay has not heard of a change');
  }
}

function groupOf(user: number): string {
  return `group-${user % 7}`;
}

function bearer(user: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${user}` };
}

export function flat(headers: Readonly<Record<string, string | readonly string[]>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : value.join(', ')]),
  );
}

/** The whole of a list or an object, the first bytes of a watch. */
async function first({ status, headers, body }: Awaited<ReturnType<ApiServer['handle']>>): Promise<LeakAnswer> {
  const isWatch = headers['transfer-encoding'] !== undefined || headers['content-length'] === undefined;
  const parts: Uint8Array[] = [];
  for await (const chunk of body) {
    parts.push(chunk);
    if (isWatch && status === 200) break;
  }
  return { status, body: Buffer.concat(parts).toString('utf8') };
}

/** What passes goes to the upstream in this process. */
export function passingTo(server: ApiServer): UpstreamServer {
  const counts = { open: 0, tunnels: 0, passed: 0, refused: 0, failed: 0, bytesUp: 0, bytesDown: 0 };
  return {
    counts,
    close: () => {},
    pass: async (incoming: IncomingRequest, reply: Reply) => {
      const { method, target } = incoming;
      // As any line takes a moment: equal requests meet there.
      await setImmediate();
      const authorization = incoming.header('authorization');
      const answer = await server.handle({
        method,
        path: target,
        headers: authorization === undefined ? {} : { authorization },
      });
      const parts: Uint8Array[] = [];
      for await (const chunk of answer.body) parts.push(chunk);
      reply.send(
        { status: answer.status, headers: { 'content-type': answer.headers['content-type'] ?? '' } },
        Buffer.concat(parts),
      );
    },
  };
}
