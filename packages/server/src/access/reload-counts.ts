/** Counts changes of a configuration file while the server serves, by the names of kube-apiserver. */

import { createHash } from 'node:crypto';
import type { Clock } from '@listwatch/storage';
import { Counter, Gauge, type Registry } from '../contract/metrics.ts';

/** How a change ended: `failure` leaves the configuration as it was. */
export type ReloadStatus = 'failure' | 'success';

/** The files of `--authentication-config` and `--authorization-config`. */
export type ReloadedConfig = 'authentication' | 'authorization';

/** Of one server. */
export class ReloadCounts {
  readonly #clock: Clock;
  readonly #server: string;
  readonly #reloads = new Map<ReloadStatus, { count: number; seconds: number }>();
  #config: string | undefined;

  /** `serverId` tells servers apart in metrics, by its hash. */
  constructor(serverId: string, clock: Clock) {
    this.#clock = clock;
    this.#server = hashOf(serverId);
  }

  /** The text of the configuration that is used now. */
  using(text: string): void {
    this.#config = hashOf(text);
  }

  count(status: ReloadStatus): void {
    const { count } = this.#reloads.get(status) ?? { count: 0 };
    this.#reloads.set(status, { count: count + 1, seconds: this.#clock.now() / 1000 });
  }

  /** Of a server without a configuration file the metrics have no values. */
  static register(registry: Registry, config: ReloadedConfig, counts: ReloadCounts | undefined): void {
    const prefix = `apiserver_${config}_config_controller`;
    const each = (tell: (labels: Record<string, string>, one: { count: number; seconds: number }) => void): void => {
      if (counts === undefined) return;
      for (const [status, one] of counts.#reloads) tell({ status, apiserver_id_hash: counts.#server }, one);
    };
    registry.registerMetric(
      new Counter({
        name: `${prefix}_automatic_reloads_total`,
        help: `Changes of the ${config} configuration file.`,
        labelNames: ['status', 'apiserver_id_hash'],
        registers: [],
        collect() {
          this.reset();
          each((labels, { count }) => this.inc(labels, count));
        },
      }),
    );
    registry.registerMetric(
      new Gauge({
        name: `${prefix}_automatic_reload_last_timestamp_seconds`,
        help: 'When it was last changed.',
        labelNames: ['status', 'apiserver_id_hash'],
        registers: [],
        collect() {
          each((labels, { seconds }) => this.set(labels, seconds));
        },
      }),
    );
    registry.registerMetric(
      new Gauge({
        name: `${prefix}_last_config_info`,
        help: 'The hash of the configuration file that is used; always 1.',
        labelNames: ['apiserver_id_hash', 'hash'],
        registers: [],
        collect() {
          this.reset();
          if (counts === undefined) return;
          const hash = counts.#config;
          if (hash !== undefined) this.set({ apiserver_id_hash: counts.#server, hash }, 1);
        },
      }),
    );
  }
}

function hashOf(text: string): string {
  return text === '' ? '' : `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
