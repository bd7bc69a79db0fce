/** The metrics of a manager, under the names that client-go and controller-runtime have for them. */

import type { Clock } from '@listwatch/api';
import { logging, type ServerReport, type TransportDecorator } from '@listwatch/client';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Controller } from '../controller/controller.ts';
import type { SharedInformerState, SharedInformers } from '../informer/shared-informers.ts';
import { CONTROLLER_METRICS, CONTROLLER_TIMES } from './controller-metrics.ts';
import type { HealthAnswer } from './health-server.ts';
import { PulledHistogram } from './pulled-histogram.ts';

const INFORMER_LABELS = ['group', 'resource', 'scope'] as const;

interface InformerMetric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge';
  readonly read: (state: SharedInformerState) => number;
}

const INFORMER_METRICS: readonly InformerMetric[] = [
  {
    name: 'listwatch_informer_objects',
    help: 'Objects in the cache.',
    type: 'gauge',
    read: ({ objects }) => objects,
  },
  {
    name: 'listwatch_informer_synced',
    help: '1 when the cache has been complete once.',
    type: 'gauge',
    read: ({ hasSynced }) => (hasSynced ? 1 : 0),
  },
  {
    name: 'listwatch_informer_lists_total',
    help: 'Complete states that were asked for; more than one: relists.',
    type: 'counter',
    read: ({ metrics }) => metrics.lists,
  },
  {
    name: 'listwatch_informer_watches_total',
    help: 'Watches that were opened.',
    type: 'counter',
    read: ({ metrics }) => metrics.watches,
  },
  {
    name: 'listwatch_informer_errors_total',
    help: 'Lists and watches that failed.',
    type: 'counter',
    read: ({ metrics }) => metrics.errors,
  },
];

interface ServerMetric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge';
  readonly read: (report: ServerReport) => number;
}

/** Without samples where the client knows only one server. */
const SERVER_METRICS: readonly ServerMetric[] = [
  {
    name: 'listwatch_client_server_in_use',
    help: '1 for the server that the next request goes to. Absent when there is only one.',
    type: 'gauge',
    read: ({ isInUse }) => (isInUse ? 1 : 0),
  },
  {
    name: 'listwatch_client_server_up',
    help: '1 unless the server has failed and not been ready since. Absent when there is only one.',
    type: 'gauge',
    read: ({ state }) => (state === 'up' ? 1 : 0),
  },
  {
    name: 'listwatch_client_moved_requests_total',
    help: 'Requests that the server failed and that were sent to another one. Absent when there is only one.',
    type: 'counter',
    read: ({ movedRequests }) => movedRequests,
  },
  {
    name: 'listwatch_client_failed_probes_total',
    help: 'Probes that the server failed or did not answer in time. Absent when there is only one.',
    type: 'counter',
    read: ({ failedProbes }) => failedProbes,
  },
];

const PHASES = ['syncing', 'live', 'degraded', 'stopped'] as const;

/** Where the numbers come from. */
export interface ManagerMetricSources {
  readonly informers: SharedInformers;
  /** The servers as the client finds them now. */
  readonly servers: () => readonly ServerReport[];
  readonly leader?: { readonly name: string; readonly isLeading: () => boolean } | undefined;
}

/** The metrics of one manager, in a registry of its own. */
export class ManagerMetrics {
  readonly registry: Registry = new Registry();
  readonly #host: string;
  readonly #controllers: Controller[] = [];
  readonly #requests: Counter<'code' | 'host' | 'method'>;
  readonly #requestTimes: Histogram<'host' | 'verb'>;
  #page: Promise<HealthAnswer> | undefined;

  constructor(server: string) {
    this.#host = hostOf(server);
    const { registry } = this;
    this.#requests = new Counter({
      name: 'rest_client_requests_total',
      help: 'Requests by status code, method and host. The code is <error> when there was no answer.',
      labelNames: ['code', 'method', 'host'],
      registers: [registry],
    });
    this.#requestTimes = new Histogram({
      name: 'rest_client_request_duration_seconds',
      help: 'Time until the headers of the answer, by method and host.',
      labelNames: ['verb', 'host'],
      buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60],
      registers: [registry],
    });
    this.#controllerMetrics();
  }

  /** Counts the requests of a transport. */
  requests(clock: Clock): TransportDecorator {
    const host = this.#host;
    return logging(({ method, status, ms }) => {
      this.#requests.inc({ code: status === undefined ? '<error>' : String(status), method, host });
      this.#requestTimes.observe({ verb: method, host }, ms / 1000);
    }, clock);
  }

  addController(added: Controller): void {
    this.#controllers.push(added);
  }

  follow({ informers, servers, leader }: ManagerMetricSources): void {
    const { registry } = this;
    for (const metric of SERVER_METRICS) registry.registerMetric(serverMetric(metric, servers));
    for (const metric of INFORMER_METRICS) registry.registerMetric(informerMetric(metric, informers));
    registry.registerMetric(
      new Gauge({
        name: 'listwatch_informer_status',
        help: '1 for the phase in which the informer is: syncing, live, degraded or stopped.',
        labelNames: [...INFORMER_LABELS, 'phase'],
        registers: [],
        collect() {
          this.reset();
          for (const state of informers.states())
            for (const phase of PHASES) this.set({ ...labelsOf(state), phase }, state.status.phase === phase ? 1 : 0);
        },
      }),
    );
    registry.registerMetric(
      new Gauge({
        name: 'leader_election_master_status',
        help: '1 while this process leads. Absent without leader election.',
        labelNames: ['name'],
        registers: [],
        collect() {
          if (leader !== undefined) this.set({ name: leader.name }, leader.isLeading() ? 1 : 0);
        },
      }),
    );
  }

  /** Everything as text. Scrapes that come together share one text. */
  page(): Promise<HealthAnswer> {
    this.#page ??= this.#print().finally(() => {
      this.#page = undefined;
    });
    return this.#page;
  }

  async #print(): Promise<HealthAnswer> {
    return { status: 200, type: this.registry.contentType, text: await this.registry.metrics() };
  }

  #controllerMetrics(): void {
    const controllers = this.#controllers;
    for (const { name, help, type, labelNames, read } of CONTROLLER_METRICS) {
      const kind = type === 'counter' ? Counter : Gauge;
      this.registry.registerMetric(
        new kind({
          name,
          help,
          labelNames,
          registers: [],
          collect() {
            this.reset();
            for (const one of controllers) for (const { labels, value } of read(one)) this.inc(labels, value);
          },
        }),
      );
    }
    for (const { name, help, read } of CONTROLLER_TIMES) {
      this.registry.registerMetric(new PulledHistogram({ name, help }, () => controllers.map(read)));
    }
  }
}

function informerMetric({ name, help, type, read }: InformerMetric, informers: SharedInformers): Counter | Gauge {
  const kind = type === 'counter' ? Counter : Gauge;
  return new kind({
    name,
    help,
    labelNames: INFORMER_LABELS,
    registers: [],
    collect() {
      this.reset();
      for (const state of informers.states()) this.inc(labelsOf(state), read(state));
    },
  });
}

function serverMetric(
  { name, help, type, read }: ServerMetric,
  servers: ManagerMetricSources['servers'],
): Counter | Gauge {
  const kind = type === 'counter' ? Counter : Gauge;
  return new kind({
    name,
    help,
    labelNames: ['host'],
    registers: [],
    collect() {
      this.reset();
      for (const report of servers()) this.inc({ host: hostOf(report.server) }, read(report));
    },
  });
}

function labelsOf({ resource: { group, plural }, scope }: SharedInformerState): Record<string, string> {
  return { group, resource: plural, scope };
}

function hostOf(server: string): string {
  // A server in the process has a name, and no host.
  const host = URL.canParse(server) ? new URL(server).host : '';
  return host === '' ? server : host;
}
