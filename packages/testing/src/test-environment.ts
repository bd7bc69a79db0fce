/** What a test gets to hold. `startTestServer` makes one. */

import type { ApiObject, Clock } from '@listwatch/api';
import type { Cluster, ManifestSource } from '@listwatch/client';
import type { ApiServer, UserInfo } from '@listwatch/server';
import type { StorageEngine } from '@listwatch/storage';
import type { CrdSource } from './apply/install-crds.ts';
import type { TestFaults } from './test-faults.ts';

/** Options of `apply`. */
export interface ApplyOptions {
  /** For objects that name none. Default: `default`. */
  readonly namespace?: string | undefined;
}

/** A server, a client of it, and the means to break what is between them. Disposing of it ends all of it. */
export interface TestEnvironment<C extends Clock = Clock> extends AsyncDisposable {
  /** A client in the process, without sockets; everything it sends passes the faults. */
  readonly cluster: Cluster;
  /** Another client in the process, for another user: whatever the server's authorizer says about that one. */
  connectAs(user: UserInfo): Cluster;
  readonly faults: TestFaults;
  /** Where the server listens. Throws a `TypeError` unless it was started with `listen: true`. */
  readonly url: string;
  /** The text of a kubeconfig with the address, the authority and a token of `system:masters`. Needs `listen: true`. */
  readonly kubeconfig: string;
  /**
   * Creates the objects, or replaces what is there by them, status included; past the faults. Resolves to what the server
   * has then. Throws a `TypeError` for a kind that the server does not have, and the `StatusError` of a refusal.
   */
  apply(objects: ManifestSource, options?: ApplyOptions): Promise<readonly ApiObject[]>;
  /**
   * Creates the CRDs, or replaces what is there by them, past the faults; resolves when their kinds are served. Sources are paths of
   * files or folders, patterns such as `config/crd/*.yaml`, or CRDs themselves. Throws a `TypeError` for a source without a CRD and for
   * names that are taken, and the `StatusError` of a refusal.
   */
  installCrds(...crds: readonly CrdSource[]): Promise<readonly ApiObject[]>;
  /** Where the objects are. */
  readonly engine: StorageEngine;
  /** The time of the server and of the clients above. */
  readonly clock: C;
  readonly server: ApiServer;
  /** Ends the clients, the server and the engine it made. Safe to call twice. */
  close(): Promise<void>;
}
