/** The options of `startControllers`. */

import type { Cluster } from '@listwatch/client';
import { type LeaderElectionOptions, type Logger, silentLogger } from '@listwatch/runtime';
import type { OwnedKindsSource } from './garbage/owned-kinds-source.ts';
import type { ServerAddress } from './kubernetes-service/service-addresses.ts';

/** Options of {@link startControllers}. */
export interface ControllersOptions {
  /** As kube-controller-manager's `--controllers`: `*`, `name`, `-name`. Default: `['*']`. */
  readonly controllers?: readonly string[] | undefined;
  /** The authority of the server's certificate, PEM. Without it `kube-root-ca.crt` is not published. */
  readonly caBundle?: string | undefined;
  /** Where this server is reached. Without it the addresses of the Service `kubernetes` are left alone. */
  readonly advertise?: ServerAddress | undefined;
  /** See `garbageCollector`: `server.ownedKinds` of a server in the same process spares watches. Default: by discovery. */
  readonly ownedKinds?: OwnedKindsSource | undefined;
  /** See `namespaceController`. Default: 5 000; 0 is right where one server alone serves the store. */
  readonly namespaceGraceMs?: number | undefined;
  /**
   * Only the holder of a Lease runs them; needed where several servers share one store. Default: false. `true`: the Lease
   * `kube-system/listwatch-controllers`.
   */
  readonly leaderElection?: Partial<LeaderElectionOptions> | boolean | undefined;
  /** The cluster of one controller, for a user of its own. Default: the same for all. */
  readonly clusterFor?: ((controller: string) => Cluster) | undefined;
  /** Default: nothing is logged. pino's loggers fit. */
  readonly logger?: Logger | undefined;
}

/** The options, checked and filled in. */
export interface ControllersConfig {
  readonly controllers: readonly string[];
  readonly caBundle: string | undefined;
  readonly advertise: ServerAddress | undefined;
  readonly ownedKinds: OwnedKindsSource | undefined;
  readonly namespaceGraceMs: number | undefined;
  readonly election: LeaderElectionOptions | undefined;
  readonly clusterFor: (controller: string) => Cluster;
  readonly logger: Logger;
}

const OPTION_NAMES: Readonly<Record<keyof ControllersOptions, true>> = {
  controllers: true,
  caBundle: true,
  advertise: true,
  ownedKinds: true,
  namespaceGraceMs: true,
  leaderElection: true,
  clusterFor: true,
  logger: true,
};

/** Where the holder of the lead is written. */
export const LEASE: LeaderElectionOptions['lease'] = { namespace: 'kube-system', name: 'listwatch-controllers' };

/** Checks options, once. Throws a TypeError that names the option. */
export function resolveControllersOptions(cluster: Cluster, options: ControllersOptions): ControllersConfig {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(OPTION_NAMES, name));
  if (unknown !== undefined) throw new TypeError(`startControllers has no option ${JSON.stringify(unknown)}`);
  const { controllers = ['*'], leaderElection = false, clusterFor = () => cluster } = options;
  if (!Array.isArray(controllers)) throw new TypeError('controllers must be a list of names');
  return Object.freeze({
    controllers,
    caBundle: options.caBundle,
    advertise: options.advertise,
    ownedKinds: options.ownedKinds,
    namespaceGraceMs: options.namespaceGraceMs,
    election:
      leaderElection === false ? undefined : { lease: LEASE, ...(leaderElection === true ? {} : leaderElection) },
    clusterFor,
    logger: options.logger ?? silentLogger,
  });
}
