/** What was audited and what was lost, under the names that Kubernetes uses. */

import { Counter, Gauge, type Registry } from '../../contract/metrics.ts';
import { AUDIT_LEVELS, type AuditLevel } from './audit-level.ts';

/** The counts of one server. */
export class AuditCounts {
  events = 0;
  rejected = 0;
  readonly levels: Record<AuditLevel, number> = { None: 0, Metadata: 0, Request: 0, RequestResponse: 0 };
  /** Events that a plugin has lost. */
  readonly errors: Map<string, number> = new Map();

  /** Counts events that were lost by a plugin. */
  lost(plugin: string, events: number): void {
    this.errors.set(plugin, (this.errors.get(plugin) ?? 0) + events);
  }

  /** Adds the metrics to a registry. `waiting`: events that are not written yet, by plugin. */
  register(registry: Registry, waiting: () => Readonly<Record<string, number>>): void {
    registry.registerMetric(
      new Gauge({
        name: 'listwatch_audit_waiting_events',
        help: 'Audit events that wait to be written or sent.',
        labelNames: ['plugin'],
        registers: [],
        collect() {
          for (const [plugin, count] of Object.entries(waiting())) this.set({ plugin }, count);
        },
      }),
    );
    registry.registerMetric(
      counter('apiserver_audit_event_total', 'Audit events that were made for the backends.', () => this.events),
    );
    registry.registerMetric(
      counter(
        'apiserver_audit_requests_rejected_total',
        'Requests that were refused because their audit event could not be stored.',
        () => this.rejected,
      ),
    );
    const { errors, levels } = this;
    registry.registerMetric(
      new Counter({
        name: 'apiserver_audit_error_total',
        help: 'Audit events that were lost, by the plugin that lost them.',
        labelNames: ['plugin'],
        registers: [],
        collect() {
          this.reset();
          for (const [plugin, count] of errors) this.inc({ plugin }, count);
        },
      }),
    );
    registry.registerMetric(
      new Counter({
        name: 'apiserver_audit_level_total',
        help: 'Requests by the level that the audit policy gave them.',
        labelNames: ['level'],
        registers: [],
        collect() {
          this.reset();
          for (const level of AUDIT_LEVELS) this.inc({ level }, levels[level]);
        },
      }),
    );
  }
}

function counter(name: string, help: string, read: () => number): Counter {
  return new Counter({
    name,
    help,
    registers: [],
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}
