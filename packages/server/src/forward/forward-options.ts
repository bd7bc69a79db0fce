/** How a server reaches kubelets, Pods and Services. */

import type { Socket } from 'node:net';

/** Options of forwarding. Times are in milliseconds. */
export interface KubeletOptions {
  /** PEM of the authorities of kubelets. Default: any certificate is taken, as kube-apiserver does without this. */
  readonly caData?: string | undefined;
  /** PEM of the certificate, and its key, that is shown to kubelets. Default: none. */
  readonly certData?: string | undefined;
  readonly keyData?: string | undefined;
  /** Connections at one time: exec, attach, port-forward, logs and proxied requests. More are refused with 429. Default: 1000. */
  readonly maxConnections?: number | undefined;
  /** How long a connection may take, with TLS. Default: 10 s. */
  readonly connectTimeoutMs?: number | undefined;
  /** A connection on which nothing moves for so long is cut. Default: 4 h, as kubelets do. */
  readonly idleTimeoutMs?: number | undefined;
  /** More ports of this machine that are never connected to, beside those that the server listens on. Default: none. */
  readonly refusedPorts?: (() => readonly number[]) | undefined;
  /**
   * Opens the TCP connections instead of this machine, for example through a tunnel to the nodes. No address is refused then: they
   * are those of another network.
   */
  readonly connect?: ((host: string, port: number, signal: AbortSignal) => Promise<Socket>) | undefined;
}

/** The options with nothing left open that has a default. */
export interface KubeletConfig extends KubeletOptions {
  readonly maxConnections: number;
  readonly connectTimeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly refusedPorts: () => readonly number[];
}

const HOUR_MS = 3_600_000;

/** Fills in what was not said. Throws a `TypeError` or a `RangeError` that names the option. */
export function kubeletConfig(options: KubeletOptions): KubeletConfig {
  const { certData, keyData } = options;
  if ((certData === undefined) !== (keyData === undefined)) {
    throw new TypeError('kubelets.certData and kubelets.keyData belong together');
  }
  const config = {
    ...options,
    maxConnections: options.maxConnections ?? 1000,
    connectTimeoutMs: options.connectTimeoutMs ?? 10_000,
    idleTimeoutMs: options.idleTimeoutMs ?? 4 * HOUR_MS,
    refusedPorts: options.refusedPorts ?? (() => []),
  };
  for (const name of ['maxConnections', 'connectTimeoutMs', 'idleTimeoutMs'] as const) {
    if (!Number.isSafeInteger(config[name]) || config[name] < 1) {
      throw new RangeError(`kubelets.${name} must be a whole number of at least 1, not ${config[name]}`);
    }
  }
  return config;
}
