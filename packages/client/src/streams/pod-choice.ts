/** Which pod stands for a workload. */

import { type AbortOptions, type ApiObject, type Resource, resource } from '@listwatch/api';
import { numberOf, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import type { Cluster, ObjectTarget } from '../cluster.ts';
import { StreamError } from './stream-error.ts';

/** A pod by its name, a workload (Deployment, StatefulSet, Job, Service, ...) by its resource and name, or pods by their labels. */
export type PodSource =
  | ObjectTarget
  | (ObjectTarget & { readonly resource: Resource })
  | { readonly labelSelector: string; readonly namespace?: string | undefined };

/** What choosing needs of a cluster. */
export type ChoosingCluster = Pick<Cluster, 'get' | 'list' | 'namespace'>;

/** A pod, and the port of it that a port of the source stands for. */
export interface ChosenPod {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

const pods = resource({ version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true });

/** More are not looked at: any one will do. */
const LOOKED_AT = 100;

/** Chooses a pod that is ready. Rejects with `NO_POD` when there is none, and with 404 when there is no such workload. */
export async function choosePod(
  cluster: ChoosingCluster,
  source: PodSource,
  port: number,
  options: AbortOptions = {},
): Promise<ChosenPod> {
  const { namespace = cluster.namespace } = source;
  if ('labelSelector' in source) return firstReady(cluster, namespace, source.labelSelector, port, options);
  const { name } = source;
  if (!('resource' in source) || isPods(source.resource)) return { namespace, name, port };
  const workload: ApiObject & { readonly spec?: unknown } = await cluster.get(
    source.resource,
    { name, namespace },
    options,
  );
  const spec = recordOf(workload.spec);
  const selector = labelSelectorText(
    hasPlainSelector(source.resource) ? { matchLabels: spec['selector'] } : spec['selector'],
  );
  if (selector === '') throw new StreamError('NO_POD', `${source.resource.kind} ${name} selects no pods`);
  const wanted = source.resource.kind === 'Service' ? targetPort(spec, port) : port;
  return firstReady(cluster, namespace, selector, wanted, options);
}

function isPods({ group, plural }: Resource): boolean {
  return (group ?? '') === '' && plural === 'pods';
}

/** Of the kinds that are older than LabelSelectors the selector is a map of labels. */
function hasPlainSelector({ group, kind }: Resource): boolean {
  return (group ?? '') === '' && (kind === 'Service' || kind === 'ReplicationController');
}

async function firstReady(
  cluster: ChoosingCluster,
  namespace: string,
  labelSelector: string,
  port: number | string,
  options: AbortOptions,
): Promise<ChosenPod> {
  const { items } = await cluster.list(pods, { ...options, namespace, labelSelector, limit: LOOKED_AT });
  const [best] = items.filter(isAlive).toSorted((a, b) => Number(isReady(b)) - Number(isReady(a)));
  if (best === undefined) {
    throw new StreamError('NO_POD', `no pod in ${namespace} with the labels ${labelSelector} is running`);
  }
  return { namespace, name: best.metadata.name, port: typeof port === 'number' ? port : namedPort(best, port) };
}

/** A pod that is being deleted closes what is opened now. */
function isAlive(pod: ApiObject & { readonly status?: unknown }): boolean {
  return pod.metadata.deletionTimestamp === undefined && textOf(recordOf(pod.status)['phase']) === 'Running';
}

function isReady(pod: ApiObject & { readonly status?: unknown }): boolean {
  const conditions = recordsOf(recordOf(pod.status)['conditions']);
  return conditions.some((condition) => condition['type'] === 'Ready' && condition['status'] === 'True');
}

/** The port of the pods behind a port of a Service: a number, or the name that the pods give it. */
function targetPort(spec: Readonly<Record<string, unknown>>, port: number): number | string {
  const found = recordsOf(spec['ports']).find((one) => numberOf(one['port']) === port);
  if (found === undefined) throw new RangeError(`the Service has no port ${port}`);
  const target = found['targetPort'];
  return typeof target === 'string' || typeof target === 'number' ? target : port;
}

function namedPort(pod: ApiObject & { readonly spec?: unknown }, name: string): number {
  const ports = recordsOf(recordOf(pod.spec)['containers']).flatMap((container) => recordsOf(container['ports']));
  const found = ports.find((port) => port['name'] === name);
  if (found === undefined) throw new RangeError(`the pod ${pod.metadata.name} has no port with the name ${name}`);
  return numberOf(found['containerPort']);
}

const OPERATORS: Readonly<Record<string, (key: string, values: string) => string>> = {
  In: (key, values) => `${key} in (${values})`,
  NotIn: (key, values) => `${key} notin (${values})`,
  Exists: (key) => key,
  DoesNotExist: (key) => `!${key}`,
};

/** A LabelSelector as a list takes it; `''` for one that selects nothing. */
function labelSelectorText(selector: unknown): string {
  const { matchLabels, matchExpressions } = recordOf(selector);
  const equal = Object.entries(recordOf(matchLabels)).map(([key, value]) => `${key}=${textOf(value)}`);
  const others = recordsOf(matchExpressions).map((expression) => {
    const values = Array.isArray(expression['values']) ? expression['values'].map(textOf).join(',') : '';
    return OPERATORS[textOf(expression['operator'])]?.(textOf(expression['key']), values) ?? '';
  });
  return [...equal, ...others].filter((term) => term !== '').join(',');
}
