/** Metrics of revoked rights and credentials. */

import { Counter, Gauge, type Registry } from '../../contract/metrics.ts';
import type { RevocationCounts } from './open-requests.ts';

/** What is shown. */
export interface RevocationState extends Readonly<RevocationCounts> {
  readonly waiting: number;
}

/** All zero where open requests are not decided anew. */
export function registerRevocationMetrics(registry: Registry, read: () => RevocationState | undefined): void {
  const gauge = new Gauge({
    name: 'listwatch_revocation_waiting',
    help: 'Open watches and streams whose users have lost something, and that are to be decided anew.',
    registers: [],
    collect() {
      this.set(read()?.waiting ?? 0);
    },
  });
  registry.registerMetric(gauge);
  const counter = (name: string, help: string, key: keyof RevocationCounts): void => {
    const metric = new Counter({
      name,
      help,
      registers: [],
      collect() {
        this.reset();
        this.inc(read()?.[key] ?? 0);
      },
    });
    registry.registerMetric(metric);
  };
  counter(
    'listwatch_revocation_checks_total',
    'Decisions about open watches and streams whose users have lost something.',
    'checks',
  );
  counter(
    'listwatch_revocation_ended_total',
    'Watches and streams that were ended because their users could not open them again.',
    'ended',
  );
}
