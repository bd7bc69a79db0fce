/** Remembers which deprecated APIs were requested: who still has to move before an upgrade. */

import type { ResourceRequestPath } from '@listwatch/api';
import { Gauge, type Registry } from '../contract/metrics.ts';

/** Custom kinds come and go: without a bound each new name would stay in memory for ever. */
const SERIES_MAX = 2000;

export class DeprecatedRequests {
  readonly #seen = new Map<string, Record<'group' | 'resource' | 'subresource' | 'version', string>>();

  /** A request reached a deprecated version of a kind that is served. */
  seen({ group, version, resource, subresource }: ResourceRequestPath): void {
    const key = `${group}/${version}/${resource}/${subresource}`;
    if (this.#seen.has(key)) return;
    if (this.#seen.size >= SERIES_MAX) this.#seen.clear();
    this.#seen.set(key, { group, version, resource, subresource });
  }

  /** Shows them in `/metrics`. No version that is served here has a release that removes it. */
  register(registry: Registry): void {
    const seen = this.#seen;
    const gauge = new Gauge({
      name: 'apiserver_requested_deprecated_apis',
      help: 'Deprecated APIs that were requested since the start.',
      labelNames: ['group', 'version', 'resource', 'subresource', 'removed_release'],
      registers: [],
      collect() {
        this.reset();
        for (const labels of seen.values()) this.set({ ...labels, removed_release: '' }, 1);
      },
    });
    registry.registerMetric(gauge);
  }
}
