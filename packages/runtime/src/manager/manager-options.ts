/** What a manager can be told. */

import { hostname } from 'node:os';
import type { ApiObject } from '@listwatch/api';
import type { ControllerOptions } from '../controller/controller-options.ts';
import { type Logger, unfailingLogger } from '../controller/logger.ts';
import type { LeaderElectionOptions } from '../leader/leader-election.ts';
import { createLog } from '../log/create-log.ts';
import type { HealthServerOptions } from './health-server.ts';

/** Leader election of a manager: which Lease, and how long. The default identity is the host's name and a random part. */
export type ManagerElectionOptions = Omit<LeaderElectionOptions, 'onError' | 'onRecovered' | 'onWaiting'>;

/** Options of {@link manager}. */
export interface ManagerOptions {
  /** The Lease of the leader. Default: false: this process always leads, so run one replica. */
  readonly leaderElection?: ManagerElectionOptions | false | undefined;
  /** `/healthz`, `/readyz` and `/metrics`. Default: port 8080 of every address; false: no server. */
  readonly health?: HealthServerOptions | false | undefined;
  /** False: no `/metrics`. Default: true. */
  readonly metrics?: boolean | undefined;
  /** pino's loggers fit. Default: `createLog()` of `@listwatch/runtime/log`. */
  readonly logger?: Logger | undefined;
  /** `run` gives up waiting so long after a stop, and rejects with `STOP_TIMEOUT`. Default: 30 000 (controller-runtime). */
  readonly gracefulStopMs?: number | undefined;
  /**
   * Notes which rights the program uses, and writes them to this file when it stops: `listwatch rbac --from FILE` prints the smallest
   * Role for them. For development: the body of every write is read. Default: none.
   */
  readonly recordRights?: string | undefined;
}

/** Options of a controller in a manager, which brings the informers and the logger. */
export interface ManagedControllerOptions<T extends ApiObject>
  extends Omit<ControllerOptions<T>, 'informers' | 'logger'> {
  /** False: it runs on every replica. Default: true. */
  readonly needsLeadership?: boolean | undefined;
}

/** The options, checked and filled in. */
export interface ManagerConfig {
  readonly leaderElection: ManagerElectionOptions | undefined;
  readonly health: HealthServerOptions | undefined;
  readonly metrics: boolean;
  readonly logger: Logger;
  readonly gracefulStopMs: number;
  readonly recordRights: string | undefined;
}

const NAMES: ReadonlySet<string> = new Set([
  'leaderElection',
  'health',
  'metrics',
  'logger',
  'gracefulStopMs',
  'recordRights',
]);

/** Checks options, once. Throws a TypeError or a RangeError that names the option. */
export function resolveManagerOptions(options: ManagerOptions): ManagerConfig {
  const unknown = Object.keys(options).find((name) => !NAMES.has(name));
  if (unknown !== undefined) throw new TypeError(`manager has no option ${unknown}`);
  const { leaderElection = false, health = {}, metrics = true, gracefulStopMs = 30_000, recordRights } = options;
  if (!(gracefulStopMs >= 0)) throw new RangeError(`gracefulStopMs must be 0 or more, not ${gracefulStopMs}`);
  if (recordRights === '') throw new TypeError('recordRights must be the path of a file');
  if (health !== false) checkPort(health.port);
  if (leaderElection !== false) checkLease(leaderElection.lease);
  const identity = `${hostname()}_${globalThis.crypto.randomUUID()}`;
  return {
    leaderElection: leaderElection === false ? undefined : { identity, ...leaderElection },
    health: health === false ? undefined : health,
    metrics,
    logger: unfailingLogger(options.logger ?? createLog()),
    gracefulStopMs,
    recordRights,
  };
}

function checkPort(port: number | undefined): void {
  if (port === undefined || (Number.isInteger(port) && port >= 0 && port <= 65_535)) return;
  throw new RangeError(`health.port must be a whole number from 0 to 65535, not ${port}`);
}

function checkLease(lease: Partial<ManagerElectionOptions['lease']> | undefined): void {
  if (typeof lease?.namespace === 'string' && typeof lease.name === 'string' && lease.name !== '') return;
  throw new TypeError('leaderElection.lease must have a namespace and a name');
}
