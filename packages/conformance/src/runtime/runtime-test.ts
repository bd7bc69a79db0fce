/** What a case gets: a client to watch with, another to write with, and a namespace of its own. */

import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Cluster, RequestRecord } from '@listwatch/client';
import { type Informer, type InformerOptions, informer } from '@listwatch/runtime';
import { eventually } from '../storage/eventually.ts';
import { ChangeStory } from './change-story.ts';
import type { RuntimeConnections, RuntimeNetwork, RuntimePower, RuntimeServer } from './runtime-server.ts';
import {
  type SecretContent,
  secretData,
  stateText,
  type TestSecret,
  testNamespaces,
  testSecrets,
} from './secret-fixture.ts';

/** Trouble is over quickly here, and so must the pauses be. */
const BACKOFF = { initialMs: 10, maxMs: 200 } as const;
/** Writes that are under way at once: enough to be quick, few enough for any server. */
const WRITES_AT_ONCE = 50;

/** One run of a case. */
export class RuntimeTest {
  readonly namespace: string = newNamespace();
  /** Every request of `cluster`. */
  readonly requests: RequestRecord[] = [];
  readonly #server: RuntimeServer;
  readonly #cleanups: (() => Promise<unknown>)[] = [];
  #cluster: Cluster | undefined;

  constructor(server: RuntimeServer) {
    this.#server = server;
  }

  get admin(): Cluster {
    return this.#server.admin;
  }

  get cluster(): Cluster {
    return required(this.#cluster, 'a client');
  }

  get network(): RuntimeNetwork {
    return required(this.#server.network, 'a network');
  }

  get power(): RuntimePower {
    return required(this.#server.power, 'a switch');
  }

  get connections(): RuntimeConnections {
    return required(this.#server.connections, 'connections');
  }

  /** Lists that `cluster` has asked for, page by page; not those of one object, with which a watcher checks the history. */
  get lists(): readonly string[] {
    return this.requests.map(({ path }) => path).filter((path) => !/watch=|limit=1(?:&|$)/u.test(path));
  }

  get watches(): readonly string[] {
    return this.requests.map(({ path }) => path).filter((path) => path.includes('watch='));
  }

  async open(): Promise<void> {
    this.#cluster = await this.#server.connect({ log: (record) => this.requests.push(record) });
    this.onEnd(() => this.cluster.close());
    await this.createNamespace(this.namespace);
  }

  async end(): Promise<void> {
    for (const cleanup of this.#cleanups.toReversed()) await cleanup();
  }

  /** Runs after the case, whether it passed or not. */
  onEnd(cleanup: () => Promise<unknown>): void {
    this.#cleanups.push(cleanup);
  }

  async createNamespace(name: string = newNamespace()): Promise<string> {
    await this.admin.create(testNamespaces, { metadata: { name } });
    this.onEnd(() => this.admin.delete(testNamespaces, { name }));
    return name;
  }

  /** A path in a folder that goes away with the case. */
  scratchFile(name: string): string {
    const folder = mkdtempSync(join(tmpdir(), 'listwatch-runtime-'));
    this.onEnd(async () => rmSync(folder, { recursive: true, force: true }));
    return join(folder, name);
  }

  /** An informer of the case's Secrets, unless the options say otherwise; it ends with the case. */
  informer(options: InformerOptions<TestSecret> = {}): Informer<TestSecret> {
    const everywhere = 'namespace' in options || options.namespaces !== undefined;
    const made = informer(this.cluster, testSecrets, {
      ...(everywhere ? {} : { namespace: this.namespace }),
      listSemantic: 'mostRecent',
      backoff: BACKOFF,
      ...options,
    });
    this.onEnd(() => made.close());
    return made;
  }

  /** The same, once it has synced. */
  async synced(options?: InformerOptions<TestSecret>): Promise<Informer<TestSecret>> {
    const made = this.informer(options);
    await made.synced;
    return made;
  }

  /** Reads its changes from now on; every one of them, none made one with another. */
  follow(source: Informer<TestSecret>): ChangeStory {
    return new ChangeStory(source.changes({ policy: 'fail', maxPending: 100_000 }));
  }

  async add(
    name: string,
    { value = '1', labels = {}, namespace = this.namespace }: SecretContent = {},
  ): Promise<TestSecret> {
    return this.admin.create(testSecrets, { metadata: { name, namespace, labels }, data: secretData(value) });
  }

  async addAll(names: readonly string[]): Promise<void> {
    for (let i = 0; i < names.length; i += WRITES_AT_ONCE) {
      await Promise.all(names.slice(i, i + WRITES_AT_ONCE).map((name) => this.add(name)));
    }
  }

  /** Changes what a Secret holds; its labels too, if they are given. */
  async set(name: string, { value, labels, namespace = this.namespace }: SecretContent): Promise<TestSecret> {
    const body = {
      ...(labels === undefined ? {} : { metadata: { labels } }),
      ...(value === undefined ? {} : { data: secretData(value) }),
    };
    return this.admin.patch(testSecrets, { name, namespace }, { type: 'merge', body });
  }

  async remove(name: string, { namespace = this.namespace }: SecretContent = {}): Promise<void> {
    await this.admin.delete(testSecrets, { name, namespace });
  }

  /** Breaks all connections and lets no new ones through; resolves when the informer has noticed. `network.accept` ends it. */
  async cutOff(source: Informer<TestSecret>): Promise<void> {
    // Whoever comes next must not suffer for a case that failed.
    this.onEnd(() => this.network.accept());
    this.network.refuse();
    this.network.cut();
    await this.reaches(source, 'degraded');
  }

  /** Resolves when the informer is in this phase. */
  async reaches(source: Informer<TestSecret>, phase: Informer['status']['phase']): Promise<void> {
    await eventually(`the informer is ${phase}`, () => source.status.phase === phase);
  }

  async forget(): Promise<void> {
    if (this.#server.forget === undefined) throw new TypeError('this server cannot be made to forget');
    await this.#server.forget();
  }

  /** Resolves when the server answers: one that was just started may not yet. */
  async answers(): Promise<void> {
    const asked = { name: this.namespace };
    await eventually('the server answers', () =>
      this.admin.get(testNamespaces, asked).then(
        () => true,
        () => false,
      ),
    );
  }

  /** Resolves when the store holds exactly what the server has; says what it has instead when it never does. */
  async agrees({ store }: Informer<TestSecret>): Promise<void> {
    const { items } = await this.admin.list(testSecrets, { namespace: this.namespace });
    const truth = stateText(items).join();
    let cached = '';
    try {
      await eventually('the store becomes what the server has', () => {
        cached = stateText(store.values()).join();
        return cached === truth;
      });
    } catch (cause) {
      throw new Error(`the store is not what the server has: ${cached} instead of ${truth}`, { cause });
    }
  }
}

function newNamespace(): string {
  return `lw-${randomUUID().slice(0, 13)}`;
}

function required<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new TypeError(`this server has no ${what}; its suite must say so in lacks`);
  return value;
}
