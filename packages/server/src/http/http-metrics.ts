/** What the server counts of its requests, in Prometheus' form and under Kubernetes' names. */
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { InFlight } from './in-flight.ts';
import type { RequestInfo } from './request-info.ts';

const LABELS = ['verb', 'group', 'version', 'resource', 'subresource', 'code'] as const;
type Labels = Record<(typeof LABELS)[number], string>;

/** The verbs of the API by the names that metrics know them by; any other method is `other`. */
const VERB: Readonly<Record<string, string>> = {
  create: 'POST',
  delete: 'DELETE',
  deletecollection: 'DELETECOLLECTION',
  get: 'GET',
  head: 'GET',
  list: 'LIST',
  options: 'OPTIONS',
  patch: 'PATCH',
  post: 'POST',
  put: 'PUT',
  update: 'PUT',
  watch: 'WATCH',
};

/** Answers after which the path cannot be trusted to name something that exists. */
const NAMELESS: ReadonlySet<number> = new Set([400, 401, 403, 404, 405]);

/** The most combinations of labels; what comes after is counted without its resource. */
const SERIES_MAX = 2000;

/** The request metrics of one server, in a registry of its own. */
export class HttpMetrics {
  readonly registry: Registry;
  readonly #total: Counter<keyof Labels>;
  readonly #duration: Histogram<keyof Labels>;
  readonly #series = new Map<string, Series>();

  constructor(inFlight: InFlight, registry: Registry = new Registry()) {
    this.registry = registry;
    const registers = [registry];
    this.#total = new Counter({
      name: 'apiserver_request_total',
      help: 'Requests by verb, resource and status code.',
      labelNames: LABELS,
      registers,
    });
    this.#duration = new Histogram({
      name: 'apiserver_request_duration_seconds',
      help: 'Time from the arrival of a request to the end of its answer; watches are left out.',
      labelNames: LABELS.filter((name) => name !== 'code'),
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
      registers,
    });
    // Read when somebody asks: the counters are kept anyway.
    const inFlightGauge = new Gauge({
      name: 'apiserver_current_inflight_requests',
      help: 'Requests that are being answered, watches apart.',
      labelNames: ['request_kind'],
      registers: [],
      collect() {
        this.set({ request_kind: 'readOnly' }, inFlight.counts.read);
        this.set({ request_kind: 'mutating' }, inFlight.counts.mutating);
      },
    });
    const watchGauge = new Gauge({
      name: 'apiserver_longrunning_requests',
      help: 'Open watches.',
      registers: [],
      collect() {
        this.set(inFlight.counts.watch);
      },
    });
    registry.registerMetric(inFlightGauge);
    registry.registerMetric(watchGauge);
  }

  /** Counts an answer. `status` is 0 when the client left before there was one. */
  observe(info: RequestInfo, status: number, seconds: number): void {
    const { count, time } = this.#seriesOf(info, status);
    count.inc();
    if (info.kind !== 'watch') time.observe(seconds);
  }

  /** The bound counters of a request: to find them by their labels each time costs more than to count. */
  #seriesOf({ path, verb }: RequestInfo, status: number): Series {
    const shownVerb = VERB[verb] ?? 'other';
    const named = path.type === 'resource' && !NAMELESS.has(status) ? path : NO_RESOURCE;
    const key = `${status} ${shownVerb} ${named.group}/${named.version}/${named.resource}/${named.subresource}`;
    const known = this.#series.get(key);
    if (known !== undefined) return known;
    // Clients choose these words: without a bound each new one would stay in memory for ever.
    const { group, version, resource, subresource } = this.#series.size < SERIES_MAX ? named : NO_RESOURCE;
    const labels = { verb: shownVerb, group, version, resource, subresource };
    const series = {
      count: this.#total.labels({ ...labels, code: String(status) }),
      time: this.#duration.labels(labels),
    };
    if (this.#series.size < SERIES_MAX) this.#series.set(key, series);
    return series;
  }
}

interface Series {
  readonly count: Counter.Internal;
  readonly time: Histogram.Internal<string>;
}

const NO_RESOURCE = { group: '', version: '', resource: '', subresource: '' } as const;
