/** What a test gets to hold. `startTestServer` makes one. */

import type { ApiObject, Clock } from '@listwatch/api';
import type { Cluster, ManifestSource } from '@listwatch/client';
import type { ApiServer, UserInfo } from '@listwatch/server';
import type { StorageEngine } from '@listwatch/storage';
import type { CrdSource } from './apply/install-crds.ts';
import type { PolicySource } from './apply/install-policies.ts';
import type { TestFaults } from './test-faults.ts';
import type { TestUser } from './test-user.ts';

/** Options of `apply`. */
export interface ApplyManifestsOptions {
  /** For objects that name none. Default: `default`. */
  readonly namespace?: string | undefined;
}

/** A server, a client of it, and the means to break what is between them. Disposing of it ends all of it. */
export interface TestEnvironment<C extends Clock = Clock> extends AsyncDisposable {
  /** A client in the process, without sockets; everything it sends passes the faults. Its user is that of `as`. */
  readonly cluster: Cluster;
  /**
   * Another client in the process, with the rights of this user: a name or a ServiceAccount. The groups that every such user has
   * are added to `groups`.
   */
  as(user: TestUser, groups?: readonly string[]): Cluster;
  /** Like `as`, for a user that is taken as it is, without groups of its own. */
  connectAs(user: UserInfo): Cluster;
  readonly faults: TestFaults;
  /** Where the server listens. Throws a `TypeError` unless it was started with `listen: true`. */
  readonly url: string;
  /** The text of a kubeconfig with the address, the authority and a token of the user of `cluster`. Needs `listen: true`. */
  readonly kubeconfig: string;
  /**
   * Creates the objects, or replaces what is there by them, status included; past the faults. Resolves to what the server
   * has then. Throws a `TypeError` for a kind that the server does not have, and the `StatusError` of a refusal.
   */
  apply(objects: ManifestSource, options?: ApplyManifestsOptions): Promise<readonly ApiObject[]>;
  /**
   * Creates the CRDs, or replaces what is there by them, past the faults; resolves when their kinds are served. Sources are paths of
   * files or folders, patterns such as `config/crd/*.yaml`, or CRDs themselves. Throws a `TypeError` for a source without a CRD and for
   * names that are taken, and the `StatusError` of a refusal.
   */
  installCrds(...crds: readonly CrdSource[]): Promise<readonly ApiObject[]>;
  /**
   * Creates admission policies, their bindings and what else is in the sources (parameters, CRDs), or replaces what is there by them;
   * resolves when they are in effect. Sources are paths of files or folders, patterns such as `policies/*.yaml`, or objects. Throws
   * a `TypeError` for sources without a policy, and the `StatusError` of a refusal.
   */
  policies(...sources: readonly PolicySource[]): Promise<readonly ApiObject[]>;
  /** Where the objects are. */
  readonly engine: StorageEngine;
  /** The time of the server and of the clients above. */
  readonly clock: C;
  readonly server: ApiServer;
  /** Ends the clients, the server and the engine it made. Safe to call twice. */
  close(): Promise<void>;
}
