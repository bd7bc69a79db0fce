/** Watch latency: how long does a change take from its writer to a watcher? Writes, so that it needs `--write`. */

import { randomBytes } from 'node:crypto';
import { type ApiObject, findStatusError, isNotFound, resource } from '@listwatch/api';
import { millisText } from '../amount-text.ts';
import { CannotCheck, type Check, type CheckContext } from '../check.ts';
import { explainProbe } from '../explain-probe.ts';
import { note, ok, skipped, warn } from '../finding.ts';
import { documentText } from '../json-path.ts';
import { quantile } from '../quantile.ts';

interface ConfigMap extends ApiObject {
  readonly data?: Readonly<Record<string, string>> | undefined;
}

const configMaps = resource<ConfigMap>({ version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true });

const CHANGES = 20;
const CHANGES_THOROUGH = 200;
const SLOW_MS = 250;
const VERY_SLOW_MS = 2000;

export const latencyCheck: Check = {
  name: 'latency',
  about: 'time from a write to its event, with --write',
  async run(context) {
    const { settings, cluster } = context;
    if (!settings.write)
      return [skipped('Nothing was written.', 'Pass --write to measure with a temporary ConfigMap.')];
    const target = {
      namespace: settings.namespace ?? cluster.namespace,
      name: `listwatch-doctor-${randomBytes(5).toString('hex')}`,
    };
    const changes = settings.thorough ? CHANGES_THOROUGH : CHANGES;
    const times = await ifAllowed(measureChanges(context, target, changes));
    const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)];
    const data = { p50Ms: p50, p99Ms: p99, changes: times.length };
    const summary = `A change reaches a watcher ${millisText(p50)} after it was sent (p50), ${millisText(p99)} at p99.`;
    if (p99 >= VERY_SLOW_MS) {
      const advice = 'Look for a proxy that buffers answers, an overloaded server, or slow etcd disks (fsync).';
      return [warn(summary, advice, data)];
    }
    return [
      p50 >= SLOW_MS
        ? note(summary, 'Most of it is the way to the server: compare with rtt.', data)
        : ok(summary, data),
    ];
  },
};

interface Target {
  readonly namespace: string;
  readonly name: string;
}

async function measureChanges(context: CheckContext, target: Target, changes: number): Promise<readonly number[]> {
  const { cluster, signal } = context;
  const { namespace, name } = target;
  // Before the write: an answer that is lost must not leave the object behind.
  context.cleanUp({
    leftover: `ConfigMap ${namespace}/${name}; delete it with: kubectl delete configmap -n ${namespace} ${name}`,
    run: (cleaning) => remove(context, target, cleaning),
  });
  const created = await create(context, target);
  const seen = new EventTimes();
  const { resourceVersion } = created.metadata;
  const watching = seen.follow(
    cluster.watch(configMaps, { namespace, fieldSelector: `metadata.name=${name}`, resourceVersion, signal }),
  );
  // It may fail between two changes, when nobody waits for it; the next change will see it.
  watching.catch(() => {});
  const times: number[] = [];
  for (let change = 1; change <= changes; change += 1) {
    const value = String(change);
    const sent = performance.now();
    const arrived = seen.when(value);
    const patch = cluster.patch(configMaps, target, { type: 'merge', body: { data: { change: value } } }, { signal });
    const [at] = await Promise.all([Promise.race([arrived, watching]), patch]);
    if (at === undefined) throw new Error('the watch ended before the change arrived');
    times.push(at - sent);
  }
  return times;
}

async function create({ cluster, signal }: CheckContext, { namespace, name }: Target): Promise<ConfigMap> {
  const metadata = { name, namespace, labels: { 'app.kubernetes.io/created-by': 'listwatch-doctor' } };
  return cluster.create(configMaps, { metadata, data: { change: '0' } }, { signal });
}

/** Without the permission, or the namespace, nothing is wrong with the server. */
async function ifAllowed<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const code = findStatusError(error)?.httpCode;
    if (code === 403 || code === 404) throw new CannotCheck(`no ConfigMap can be written: ${explainProbe(error)}`);
    throw error;
  }
}

async function remove({ cluster }: CheckContext, target: Target, signal: AbortSignal): Promise<void> {
  try {
    await cluster.delete(configMaps, target, { signal });
  } catch (error) {
    const code = findStatusError(error)?.httpCode;
    // What could not be created need not be deleted.
    if (!isNotFound(error) && code !== 403) throw error;
  }
}

/** When the event of each value came. */
class EventTimes {
  readonly #waiting = new Map<string, (at: number) => void>();

  /** Resolves with the time of the event. Ask before you write. */
  when(value: string): Promise<number> {
    return new Promise((resolve) => {
      this.#waiting.set(value, resolve);
    });
  }

  /** Resolves when the watch has ended. */
  async follow(events: AsyncIterable<{ readonly type: string; readonly object: unknown }>): Promise<undefined> {
    for await (const { object } of events) {
      const at = performance.now();
      const value = documentText(object, 'data', 'change');
      this.#waiting.get(value)?.(at);
      this.#waiting.delete(value);
    }
    return undefined;
  }
}
