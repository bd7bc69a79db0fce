/** Request metrics in Prometheus' form, under the names that Kubernetes uses. */
import { BucketHistogram, type BucketSeries } from '../contract/bucket-histogram.ts';
import { Buckets } from '../contract/buckets.ts';
import { Counter, Gauge, Registry } from '../contract/metrics.ts';
import type { Route } from '../contract/route.ts';
import type { InFlight } from './in-flight.ts';

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
const NAMELESS: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 414]);
/** Nothing in the API has a longer name. Strangers, whose requests are refused with 429, can send 64 KiB. */
const NAME_MAX = 253;

/** The most combinations of labels. Those that were used least recently make room: their kinds may be gone. */
const SERIES_MAX = 2000;
/** So many make room at a time: to look for them costs as much as to sort all. */
const DROPPED = SERIES_MAX / 10;

/** The request metrics of one server, in a registry of its own. */
export class RequestMetrics {
  readonly registry: Registry;
  readonly #series = new Map<string, Series>();
  /** Answers of all codes are timed together. */
  readonly #times = new Map<string, BucketSeries>();
  readonly #terminations = new Map<string, { readonly labels: Record<string, string>; count: number }>();
  #uses = 0;

  constructor(inFlight: InFlight, registry: Registry = new Registry()) {
    this.registry = registry;
    const series = this.#series;
    const total = new Counter({
      name: 'apiserver_request_total',
      help: 'Requests by verb, resource and status code.',
      labelNames: LABELS,
      registers: [],
      collect() {
        this.reset();
        for (const { labels, count } of series.values()) this.inc(labels, count);
      },
    });
    registry.registerMetric(total);
    registry.registerMetric(
      new BucketHistogram(
        'apiserver_request_duration_seconds',
        'Time from the arrival of a request to the end of its answer; watches are left out.',
        () => [...this.#times.values()].filter(({ buckets }) => buckets.counts.some((count) => count > 0)),
      ),
    );
    const inFlightGauge = new Gauge({
      name: 'apiserver_current_inflight_requests',
      help: 'Requests that are being worked on, without watches.',
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
    const dropped = new Counter({
      name: 'apiserver_dropped_requests_total',
      help: 'Requests refused with 429 because of an in-flight limit.',
      labelNames: ['request_kind'],
      registers: [],
      collect() {
        this.reset();
        this.inc({ request_kind: 'readOnly' }, inFlight.refused.read);
        this.inc({ request_kind: 'mutating' }, inFlight.refused.mutating);
        this.inc({ request_kind: 'watch' }, inFlight.refused.watch);
      },
    });
    registry.registerMetric(dropped);
    const terminations = this.#terminations;
    registry.registerMetric(
      new Counter({
        name: 'apiserver_request_terminations_total',
        help: 'Requests that flow control refused with 429.',
        labelNames: [...LABELS, 'scope', 'component'],
        registers: [],
        collect() {
          this.reset();
          for (const { labels, count } of terminations.values()) this.inc(labels, count);
        },
      }),
    );
    registry.registerMetric(inFlightGauge);
    registry.registerMetric(watchGauge);
  }

  /** Counts an answer. `status` is 0 when the client left before there was one. */
  observe(route: Route, status: number, seconds: number): void {
    const series = this.#seriesOf(route, status);
    series.count += 1;
    series.lastUse = this.#uses += 1;
    if (route.kind !== 'watch') series.time.buckets.observe(seconds);
  }

  /** A request was refused by a filter before it reached its verb. */
  terminated(route: Route, code: number): void {
    const { path, verb } = route;
    const named = namedBy(path);
    const key = `${code} ${VERB[verb] ?? 'other'} ${named.group}/${named.version}/${named.resource}/${named.subresource}`;
    const known = this.#terminations.get(key);
    if (known !== undefined) {
      known.count += 1;
      return;
    }
    // Clients choose these words.
    if (this.#terminations.size >= SERIES_MAX) this.#terminations.clear();
    const { group, version, resource, subresource } = named;
    const scope =
      path.type !== 'resource' ? '' : path.name !== '' ? 'resource' : path.namespace !== '' ? 'namespace' : 'cluster';
    const labels = {
      verb: VERB[verb] ?? 'other',
      group,
      version,
      resource,
      subresource,
      scope,
      component: 'apiserver',
      code: String(code),
    };
    this.#terminations.set(key, { labels, count: 1 });
  }

  /** Answers so far by verb and code, over all resources. */
  counts(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { labels, count } of this.#series.values()) {
      const key = `${labels.verb} ${labels.code}`;
      counts.set(key, (counts.get(key) ?? 0) + count);
    }
    return counts;
  }

  /** Where a request is counted: to find it by its labels each time costs more than to count. */
  #seriesOf({ path, verb }: Route, status: number): Series {
    const named = NAMELESS.has(status) ? NO_RESOURCE : namedBy(path);
    return this.#find(VERB[verb] ?? 'other', named, status);
  }

  #find(verb: string, named: Named, status: number): Series {
    const { group, version, resource, subresource } = named;
    const key = `${status} ${verb} ${group}/${version}/${resource}/${subresource}`;
    const known = this.#series.get(key);
    if (known !== undefined) return known;
    // Clients choose these words: without a bound each new one would stay in memory for ever.
    if (named !== NO_RESOURCE && this.#series.size >= SERIES_MAX) this.#makeRoom();
    const labels = { verb, group, version, resource, subresource };
    const time = this.#timeOf(labels);
    const series = { labels: { ...labels, code: String(status) }, count: 0, lastUse: this.#uses, time };
    this.#series.set(key, series);
    return series;
  }

  #timeOf(labels: BucketSeries['labels']): BucketSeries {
    const key = timeKey(labels);
    const known = this.#times.get(key);
    if (known !== undefined) return known;
    const time = { labels, buckets: new Buckets(DURATIONS) };
    this.#times.set(key, time);
    return time;
  }

  /** Counts of dropped series go on without their resource, so that sums stay right. */
  #makeRoom(): void {
    const oldest = [...this.#series]
      .filter(([, { labels }]) => labels.resource !== '')
      .toSorted(([, one], [, other]) => one.lastUse - other.lastUse);
    for (const [key, { labels, count }] of oldest.slice(0, DROPPED)) {
      this.#series.delete(key);
      this.#find(labels.verb, NO_RESOURCE, Number(labels.code)).count += count;
    }
    this.#times.clear();
    for (const { time } of this.#series.values()) this.#times.set(timeKey(time.labels), time);
  }
}

const DURATIONS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

function timeKey(labels: BucketSeries['labels']): string {
  return Object.values(labels).join('/');
}

interface Series {
  readonly labels: Labels;
  count: number;
  lastUse: number;
  readonly time: BucketSeries;
}

type Named = Readonly<Record<'group' | 'resource' | 'subresource' | 'version', string>>;

function namedBy(path: Route['path']): Named {
  if (path.type !== 'resource') return NO_RESOURCE;
  const { group, version, resource, subresource } = path;
  return [group, version, resource, subresource].some(({ length }) => length > NAME_MAX) ? NO_RESOURCE : path;
}

const NO_RESOURCE: Named = { group: '', version: '', resource: '', subresource: '' };
