/** Two relays in a chain before our server, with a network that breaks: what clients saw is kept for the checker. */

import { request } from 'node:https';
import { type Cluster, connect } from '@listwatch/client';
import { startTcpProxy, type TcpProxy, TestAuthority } from '@listwatch/conformance/parts';
import {
  type ApiServer,
  createApiServer,
  firstAuthenticator,
  parseTokenFile,
  tokenAuthenticator,
} from '@listwatch/server';
import { createMemoryEngine } from '@listwatch/storage';
import { createUpstream, type UpstreamServer } from '../src/pass/upstream.ts';
import { assembleRelay, type RelayChanges } from '../src/start/create-relay.ts';
import type { Relay } from '../src/start/relay-options.ts';
import { Dice } from './leak-world.fixture.ts';
import type { Scope, TrueChange } from './model-check.fixture.ts';
import { isOurs, ModelClient } from './model-client.fixture.ts';
import { SlowFeedEngine } from './slow-feed-engine.fixture.ts';

const TOKENS = [
  'admin-token,admin,1,"system:masters"',
  'relay-token,relay,2,"system:masters"',
  'all-token,ann,3,""',
  'narrow-token,bob,4,""',
  'none-token,cat,5,""',
].join('\n');
const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const GROUP = 'rbac.authorization.k8s.io';
const FOLDER = '/registry/configmaps/';
const ALL: Scope = { namespace: '', blue: false };
const BLUE: Scope = { namespace: '', blue: true };
const OF_A: Scope = { namespace: 'a', blue: false };

/** Where a client is sent. */
const PLACES = ['upstream', 'near', 'far'] as const;
type Place = (typeof PLACES)[number];

/** A relay that can be stopped and started again on its port. */
interface RunningRelay {
  readonly relay: Relay;
  readonly upstream: UpstreamServer;
  readonly cluster: Cluster;
}

export class ModelRun implements AsyncDisposable {
  readonly random: Dice;
  readonly clients: ModelClient[] = [];
  readonly truth: TrueChange[] = [];
  readonly faults = new Map<string, number>();
  readonly #engine = createMemoryEngine();
  readonly #slow: SlowFeedEngine;
  readonly #authority = new TestAuthority();
  readonly #relays = new Map<'far' | 'near', RunningRelay>();
  readonly #ports = new Map<string, number>();
  readonly #proxies = new Map<string, TcpProxy>();
  readonly #blue = new Map<string, boolean>();
  readonly #truthEnd = new AbortController();
  #server: ApiServer;
  #newest = 0;

  readonly #changes: RelayChanges;

  private constructor(seed: number, changes: RelayChanges) {
    this.#changes = changes;
    this.random = new Dice(seed);
    this.#slow = new SlowFeedEngine(this.#engine);
    this.#server = this.#newServer(0);
  }

  /** `changes`: mistakes that are built into both relays. */
  static async start(seed: number, changes: RelayChanges = {}): Promise<ModelRun> {
    const run = new ModelRun(seed, changes);
    void run.#keepTruth();
    await run.#server.listen();
    run.#ports.set('upstream', Number(new URL(run.#server.url).port));
    for (const namespace of ['a', 'b'])
      await run.#write('POST', '/api/v1/namespaces', { metadata: { name: namespace } });
    const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch'] }];
    await run.#write('POST', `${RBAC}/clusterroles`, { metadata: { name: 'reader' }, rules });
    const roleRef = { apiGroup: GROUP, kind: 'ClusterRole', name: 'reader' };
    const bind = (name: string, user: string, place: string): Promise<unknown> =>
      run.#write('POST', `${RBAC}${place}`, {
        metadata: { name },
        roleRef,
        subjects: [{ apiGroup: GROUP, kind: 'User', name: user }],
      });
    await bind('all', 'ann', '/clusterrolebindings');
    await bind('narrow', 'bob', '/namespaces/a/rolebindings');
    await run.#openLeg('near-upstream', 'upstream');
    await run.#startRelay('near');
    await run.#openLeg('far-near', 'near');
    await run.#startRelay('far');
    for (const place of PLACES) await run.#openLeg(place, place);
    return run;
  }

  /** Clients of all rights and scopes, several of each. */
  startClients(): void {
    const ca = this.#authority.ca;
    const kinds: readonly (readonly [string, string, Scope])[] = [
      ['admin', 'admin-token', ALL],
      ['ann', 'all-token', ALL],
      ['ann-blue', 'all-token', BLUE],
      ['bob', 'narrow-token', OF_A],
      ['bob-all', 'narrow-token', ALL],
      ['cat', 'none-token', OF_A],
    ];
    for (const [name, token, scope] of kinds) {
      const random = new Dice(this.random.below(2 ** 31));
      const address = (): string => `https://127.0.0.1:${this.#proxies.get(random.oneOf(PLACES))?.port ?? 0}`;
      const onVersion = (version: number): void => this.#see(version);
      this.clients.push(
        new ModelClient({ name, token, scope, random, ca, address, onVersion, newest: () => this.#newest }),
      );
    }
  }

  /** How many reads without a version the relays that run now have proven. */
  freshReads(): number {
    return [...this.#relays.values()]
      .flatMap(({ relay }) => relay.state.kinds)
      .reduce((sum, { proofs }) => sum + proofs.atOnce + proofs.byBeat, 0);
  }

  /** Creates, changes or deletes an object. What failed may have been done: the truth is the store's. */
  async write(): Promise<void> {
    const { random } = this;
    const [namespace, name] = [random.oneOf(['a', 'b']), `m-${random.below(12)}`];
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    const object = {
      metadata: { name, labels: { color: random.below(2) === 0 ? 'blue' : 'red' } },
      data: { n: String(random.below(1e9)) },
    };
    try {
      if (random.below(5) === 0) await this.#write('DELETE', `${path}/${name}`);
      else if (this.#blue.has(`${namespace}/${name}`)) await this.#write('PUT', `${path}/${name}`, object);
      else await this.#write('POST', path, object);
    } catch {
      // The server is being restarted.
    }
  }

  /** Breaks something, and repairs it when that is due. */
  async breakSomething(): Promise<void> {
    const { random } = this;
    const leg = random.oneOf([...this.#proxies.keys()]);
    const proxy = this.#proxies.get(leg);
    const fault = random.oneOf([
      'cut',
      'cut',
      'cut',
      'refuse',
      'stall',
      'relay',
      'upstream',
      'behind',
      'forget',
    ] as const);
    const what = fault === 'cut' || fault === 'refuse' || fault === 'stall' ? `${fault} ${leg}` : fault;
    this.faults.set(what, (this.faults.get(what) ?? 0) + 1);
    const later = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50 + random.below(250)));
    switch (fault) {
      case 'cut':
        return proxy?.cut();
      case 'refuse':
        proxy?.refuse();
        proxy?.cut();
        await later();
        return proxy?.accept();
      case 'stall':
        proxy?.stall();
        await later();
        return proxy?.flow();
      case 'relay':
        return this.#restartRelay(random.oneOf(['far', 'near'] as const));
      case 'upstream':
        return this.#restartUpstream();
      case 'behind':
        this.#slow.pause();
        await later();
        return this.#slow.goOn();
      case 'forget':
        return this.#forget();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#slow.goOn();
    await Promise.all(this.clients.map((client) => client.stop()));
    for (const place of ['far', 'near'] as const) await this.#stopRelay(place);
    for (const proxy of this.#proxies.values()) await proxy.close();
    await endNow(this.#server);
    this.#truthEnd.abort();
    await this.#engine.close();
    this.#authority[Symbol.dispose]();
  }

  #see(version: number): void {
    this.#newest = Math.max(this.#newest, version);
  }

  /** Every change of the collection, as the store has it. */
  async #keepTruth(): Promise<void> {
    const watch = this.#engine.watch(FOLDER, { after: await this.#engine.revision(), signal: this.#truthEnd.signal });
    try {
      for await (const { events } of watch) {
        for (const event of events) {
          const key = event.key.slice(FOLDER.length);
          if (!isOurs(key)) continue;
          const wasBlue = this.#blue.get(key);
          const version = Number(event.revision);
          if (event.type === 'delete') {
            this.#blue.delete(key);
            this.truth.push({ version, type: 'DELETED', key, blue: wasBlue ?? false, wasBlue: wasBlue ?? false });
            continue;
          }
          const blue = /"color":"blue"/u.test(Buffer.from(event.value).toString());
          this.#blue.set(key, blue);
          const type = wasBlue === undefined ? 'ADDED' : 'MODIFIED';
          this.truth.push({ version, type, key, blue, wasBlue: wasBlue ?? false });
        }
      }
    } catch {
      // The end.
    }
  }

  async #openLeg(name: string, target: Place): Promise<void> {
    this.#proxies.set(name, await startTcpProxy(this.#ports.get(target) ?? 0));
  }

  #newServer(port: number): ApiServer {
    return createApiServer({
      engine: this.#slow,
      port,
      tls: this.#authority.server(),
      authenticator: firstAuthenticator([tokenAuthenticator(parseTokenFile(TOKENS))]),
      enablePriorityAndFairness: false,
    });
  }

  async #restartUpstream(): Promise<void> {
    await endNow(this.#server);
    this.#server = this.#newServer(this.#ports.get('upstream') ?? 0);
    await this.#server.listen();
  }

  async #startRelay(place: 'far' | 'near'): Promise<void> {
    const leg = place === 'near' ? 'near-upstream' : 'far-near';
    const server = `https://127.0.0.1:${this.#proxies.get(leg)?.port ?? 0}`;
    const { ca } = this.#authority;
    const cluster = await connect({ server, caData: ca, token: 'relay-token' });
    const upstream = createUpstream({ server, tls: async () => ({ ca }) });
    const options = {
      cluster,
      upstream,
      kinds: ['configmaps'],
      port: this.#ports.get(place) ?? 0,
      tls: this.#authority.server(),
      windowSize: 20,
    };
    const relay = await assembleRelay(options, this.#changes);
    // As the command: it listens while it loads.
    await relay.listen();
    void relay.start();
    this.#ports.set(place, Number(new URL(relay.url).port));
    this.#relays.set(place, { relay, upstream, cluster });
  }

  async #stopRelay(place: 'far' | 'near'): Promise<void> {
    const running = this.#relays.get(place);
    if (running === undefined) return;
    this.#relays.delete(place);
    await endNow(running.relay);
    running.upstream.close();
    await running.cluster.close();
  }

  async #restartRelay(place: 'far' | 'near'): Promise<void> {
    await this.#stopRelay(place);
    await this.#startRelay(place);
  }

  /** Watches from before get a 410 from here on. */
  async #forget(): Promise<void> {
    try {
      await this.#engine.compact(await this.#engine.revision());
    } catch {
      // Nothing has changed since the last time.
    }
    await this.#server.forgetChanges();
  }

  #write(method: string, path: string, object?: object): Promise<void> {
    const sent = request(`${this.#server.url}${path}`, {
      method,
      ca: this.#authority.ca,
      agent: false,
      headers: { authorization: 'Bearer admin-token', 'content-type': 'application/json' },
    });
    sent.end(object === undefined ? undefined : JSON.stringify(object));
    return new Promise((resolve, reject) => {
      sent.on('error', reject);
      sent.on('response', (answer) => {
        let text = '';
        answer.on('data', (chunk: Buffer) => (text += chunk.toString())).on('error', reject);
        answer.on('end', () => {
          const version = /"resourceVersion":"(\d+)"/u.exec(text)?.[1];
          // A deletion answers with the object as it was before, or without a version.
          if (version !== undefined && method !== 'DELETE') this.#see(Number(version));
          resolve();
        });
      });
    });
  }
}

/** A second call ends at once. */
async function endNow(ends: { close(): Promise<void> }): Promise<void> {
  const closed = ends.close();
  await ends.close();
  await closed;
}
