/** Starts a server in the process of a test. Start here. */

import { randomBytes } from 'node:crypto';
import { type ApiObject, type Clock, systemClock } from '@listwatch/api';
import type { Cluster, FeatureOptions, ManifestSource, RestMapper } from '@listwatch/client';
import { readManifests } from '@listwatch/client/internal';
import { type RunningControllers, startLoopbackControllers } from '@listwatch/controllers';
import type { Webhooks } from '@listwatch/runtime/webhook';
import {
  type ApiServer,
  type ApiServerOptions,
  type AuthorizationModes,
  createApiServer,
  firstAuthenticator,
  tokenAuthenticator,
  type UserInfo,
} from '@listwatch/server';
import { createMemoryEngine, type StorageEngine } from '@listwatch/storage';
import { type ApplyParts, applyManifests, kindsOf } from './apply/apply-manifests.ts';
import { type AdaptCrds, type CrdSource, installCrds } from './apply/install-crds.ts';
import { installPolicies, type PolicySource } from './apply/install-policies.ts';
import type { Send } from './apply/server-requests.ts';
import { testKubeconfigText } from './kubeconfig-text.ts';
import { createLoopbackCluster } from './loopback-cluster.ts';
import { createTestCertificate, type TestCertificate } from './test-certificate.ts';
import type { ApplyManifestsOptions, TestEnvironment } from './test-environment.ts';
import { createTestFaults, type TestFaults } from './test-faults.ts';
import { type TestUser, testUserInfo } from './test-user.ts';
import { InProcessHooks } from './webhooks/in-process-hooks.ts';

/** Options of {@link startTestServer}. */
export interface TestServerOptions<C extends Clock = Clock> {
  /** Listens on a free port of 127.0.0.1, with TLS, for clients outside or over real sockets. Default: false. */
  readonly listen?: boolean | undefined;
  /** The time of everything in the environment; a `FakeClock` to turn it by hand. Default: the machine's clock. */
  readonly clock?: C | undefined;
  /** Where objects are kept; it stays open at the end. Default: a memory engine, which is closed. */
  readonly engine?: StorageEngine | undefined;
  /** What the clients in the process can be told: retries, a log, a rate limit. Default: as `connect`. */
  readonly client?: FeatureOptions | undefined;
  /**
   * The controllers that run beside the server, as kube-controller-manager's `--controllers`: `['*']` for all, `['*', '-name']`,
   * `['name']`, `[]` for none. Without them a deleted namespace stays Terminating, dependents stay, and a new namespace has no
   * ServiceAccount. Default: all but the one that puts a ConfigMap into each namespace, which tests would count. With a `clock`
   * the default is none: nothing but the test should use its time.
   */
  readonly controllers?: readonly string[] | undefined;
  /**
   * Custom kinds that are served from the start: paths of files or folders, patterns such as `config/crd/*.yaml`, or CRDs
   * themselves (`defineKind(...).crd`). Default: none.
   */
  readonly crds?: readonly CrdSource[] | undefined;
  /**
   * The user of `cluster` and of `kubeconfig`, such as the ServiceAccount of the operator under test: it has only the rights that
   * roles give it. `apply` and `installCrds` go on as `system:masters`. Default: a member of `system:masters`.
   */
  readonly as?: TestUser | undefined;
  /**
   * Who may do what: as on a cluster, by the roles and bindings of the server, for every user who is not in
   * `system:masters`. `'AlwaysAllow'` lets everybody do everything. Default: `'RBAC'`.
   */
  readonly authorization?: AuthorizationModes | undefined;
  /**
   * Webhooks of `@listwatch/runtime/webhook`, which the server calls in the process as an API server calls them, without sockets and
   * certificates. Their configurations are created, and CRDs whose versions they convert get their conversion. Default: none.
   */
  readonly webhooks?: Webhooks | readonly Webhooks[] | undefined;
  /** Whatever else the server can be told: limits, an authorizer, sizes of caches. */
  readonly server?:
    | Omit<Partial<ApiServerOptions>, 'authenticator' | 'clock' | 'engine' | 'inProcessWebhooks' | 'tls'>
    | undefined;
}

const ADMIN: UserInfo = { name: 'test-admin', groups: ['system:masters'] };
const NAMESPACE = 'default';
const DEFAULT_CONTROLLERS: readonly string[] = ['*', '-root-ca-certificate-publisher-controller'];

/**
 * Starts an API server in this process: in memory, without a socket unless asked, in a few milliseconds. It has the kinds
 * that are built into Kubernetes, and those of `crds`.
 *
 * @example
 * await using env = await startTestServer();
 * await env.apply('{ apiVersion: v1, kind: ConfigMap, metadata: { name: a }, data: { k: v } }');
 * const found = await env.cluster.get(configMaps, { namespace: 'default', name: 'a' });
 */
export function startTestServer<C extends Clock>(
  options: TestServerOptions<C> & { readonly clock: C },
): Promise<TestEnvironment<C>>;
export function startTestServer(options?: TestServerOptions): Promise<TestEnvironment>;
export async function startTestServer(options: TestServerOptions = {}): Promise<TestEnvironment> {
  const { clock, listen = false } = options;
  const engine = options.engine ?? createMemoryEngine({ clock });
  const user = options.as === undefined ? ADMIN : testUserInfo(options.as);
  const token = randomBytes(16).toString('hex');
  const certificate = listen ? createTestCertificate() : undefined;
  const hooks = options.webhooks && new InProcessHooks([options.webhooks].flat());
  const server = createApiServer({
    ...options.server,
    inProcessWebhooks: hooks?.call,
    engine,
    clock,
    tls: certificate,
    ...(options.authorization === undefined ? {} : { authorization: options.authorization }),
    authenticator: firstAuthenticator([tokenAuthenticator(new Map([[token, user]]))]),
  });
  const environment = new StartedEnvironment({
    server,
    engine,
    ownsEngine: options.engine === undefined,
    client: options.client ?? {},
    clock: clock ?? systemClock,
    certificate,
    token,
    user,
    hooks,
  });
  try {
    await (listen ? server.listen() : server.start());
    if (options.crds !== undefined) await environment.installCrds(...options.crds);
    if (hooks !== undefined) await environment.apply(await hooks.manifests());
    const { controllers = clock === undefined ? DEFAULT_CONTROLLERS : [] } = options;
    const running = environment.startControllers(controllers);
    // Those that were asked for see every change from now on. By default they start in the background.
    if (options.controllers !== undefined) await running.ready;
    return environment;
  } catch (error) {
    await environment.close();
    throw error;
  }
}

interface EnvironmentParts {
  readonly server: ApiServer;
  readonly engine: StorageEngine;
  readonly ownsEngine: boolean;
  readonly client: FeatureOptions;
  readonly clock: Clock;
  /** Undefined when the server does not listen. */
  readonly certificate: TestCertificate | undefined;
  readonly token: string;
  /** Of `cluster`, and of the token. */
  readonly user: UserInfo;
  readonly hooks: InProcessHooks | undefined;
}

class StartedEnvironment implements TestEnvironment {
  readonly server: ApiServer;
  readonly engine: StorageEngine;
  readonly clock: Clock;
  readonly faults: TestFaults;
  readonly cluster: Cluster;
  readonly #parts: EnvironmentParts;
  readonly #send: Send;
  readonly #kinds: RestMapper;
  readonly #clusters: Cluster[] = [];
  #controllers: RunningControllers | undefined;
  #closed: Promise<void> | undefined;

  constructor(parts: EnvironmentParts) {
    this.#parts = parts;
    this.server = parts.server;
    this.engine = parts.engine;
    this.clock = parts.clock;
    this.faults = createTestFaults(parts);
    this.#send = (request) => parts.server.handle(request, { user: ADMIN });
    this.#kinds = kindsOf(this.#send);
    this.cluster = this.connectAs(parts.user);
  }

  get url(): string {
    this.#requireListening('url');
    return this.server.url;
  }

  get kubeconfig(): string {
    const { ca } = this.#requireListening('kubeconfig');
    return testKubeconfigText({ server: this.server.url, ca, token: this.#parts.token });
  }

  as(user: TestUser, groups: readonly string[] = []): Cluster {
    return this.connectAs(testUserInfo(user, groups));
  }

  connectAs(user: UserInfo): Cluster {
    const { server, clock, faults } = this;
    const cluster = createLoopbackCluster({ server, user, clock, faults, features: this.#parts.client });
    this.#clusters.push(cluster);
    return cluster;
  }

  startControllers(controllers: readonly string[]): RunningControllers {
    const { certificate, clock } = this.#parts;
    // One server alone writes to the store: content needs no time to settle before it is deleted.
    const options = { controllers, clock, caBundle: certificate?.ca, namespaceGraceMs: 0 };
    const running = startLoopbackControllers(this.server, options);
    this.#controllers = running;
    return running;
  }

  async apply(
    objects: ManifestSource,
    { namespace = NAMESPACE }: ApplyManifestsOptions = {},
  ): Promise<readonly ApiObject[]> {
    return applyManifests(this.#applyParts(namespace), await readManifests(objects));
  }

  installCrds(...crds: readonly CrdSource[]): Promise<readonly ApiObject[]> {
    return installCrds(this.#applyParts(), crds, this.#adaptCrds());
  }

  policies(...sources: readonly PolicySource[]): Promise<readonly ApiObject[]> {
    return installPolicies(this.#applyParts(), sources, this.#adaptCrds());
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #applyParts(namespace: string = NAMESPACE): ApplyParts {
    return { send: this.#send, kinds: this.#kinds, namespace };
  }

  #adaptCrds(): AdaptCrds | undefined {
    const { hooks } = this.#parts;
    return hooks && ((crds) => hooks.converted(crds));
  }

  async #close(): Promise<void> {
    await this.#controllers?.close();
    await Promise.all(this.#clusters.map((cluster) => cluster.close()));
    const ended = this.server.close();
    // A second time means at once: a test that is over waits for nobody, least of all by a clock that stands still.
    await this.server.close();
    await ended;
    if (this.#parts.ownsEngine) await this.engine.close();
  }

  #requireListening(what: string): TestCertificate {
    const { certificate } = this.#parts;
    if (certificate === undefined)
      throw new TypeError(`there is no ${what}: start with startTestServer({ listen: true })`);
    return certificate;
  }
}
