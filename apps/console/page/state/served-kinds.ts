/** The kinds that the server serves, kept up to date: a CRD that comes or goes changes them. */

import { type Cluster, discover, type ServedResource } from '@listwatch/client';
import { customResourceDefinitions } from '@listwatch/kinds';
import { watcher } from '@listwatch/runtime';
import { type Signal, signal } from '@preact/signals';
import { isSameResource, type ResourceAddress } from '../logic/address.ts';

/** Undefined until discovery has answered. */
export const servedKinds: Signal<readonly ServedResource[] | undefined> = signal(undefined);
export const discoveryFailure: Signal<string> = signal('');

/** The wait for the server to serve what a CRD brings, and for more CRDs of the same manifest. */
const SETTLE_MS = 300;

/** Discovers now and after each change of a CRD, until the signal. */
export async function followKinds(cluster: Cluster, stop: AbortSignal): Promise<void> {
  await discoverKinds(cluster);
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    for await (const event of watcher(cluster, customResourceDefinitions, { projection: 'metadata', signal: stop })) {
      if (event.type === 'initApply' || event.type === 'init') continue;
      clearTimeout(timer);
      timer = setTimeout(() => void discoverKinds(cluster), SETTLE_MS);
    }
  } catch {
    clearTimeout(timer);
  }
}

async function discoverKinds(cluster: Cluster): Promise<void> {
  try {
    const { resources, failures } = await discover(cluster);
    servedKinds.value = resources.filter(({ verbs }) => verbs.includes('list') && verbs.includes('watch'));
    discoveryFailure.value = failures.map(({ group, error }) => `${group}: ${String(error)}`).join('; ');
  } catch (error) {
    discoveryFailure.value = String(error);
  }
}

/** The kind of an address; undefined when the server does not serve it, or is not known yet. */
export function findKind(name: ResourceAddress): ServedResource | undefined {
  return servedKinds.value?.find((served) => isSameResource(served, name));
}

/** The kind of an owner or a dependent; the preferred version of its group first. */
export function findKindOf(apiVersion: string, kind: string): ServedResource | undefined {
  const [version = '', group = ''] = apiVersion.split('/').toReversed();
  const ofGroup = servedKinds.value?.filter((served) => served.group === group && served.kind === kind) ?? [];
  return ofGroup.find((served) => served.version === version) ?? ofGroup.find(({ isPreferred }) => isPreferred);
}
