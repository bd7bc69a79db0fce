/** The APIServices of built-in groups. Each start of a server creates the missing ones, and corrects those that were changed. */

import { sameJson } from '@listwatch/api/values';
import { GROUP_TABLE } from '@listwatch/kinds/data';
import { type KubeObject, localAvailable, wholeSeconds } from '@listwatch/rules/internal';
import type { Clock, Entry, StorageEngine } from '@listwatch/storage';
import { serverOwners } from '../crd/server-owners.ts';
import type { ResourceDefinition } from '../kinds/resource-definition.ts';
import { keyPrefix, storedObjectKey } from '../stored/requested-key.ts';
import { layoutOf, storedObject, writtenObject } from '../stored/stored-object.ts';
import type { WrittenObjects } from '../stored/written-objects.ts';
import { MANAGED_LABEL } from './api-service-view.ts';

const ON_START = 'onstart';
/** Served by the aggregation layer itself. */
const OWN_GROUP = 'apiregistration.k8s.io';

/** `groupPriorityMinimum` and `versionPriority`, as in kube-apiserver. */
const GROUP_PRIORITY: Readonly<Record<string, number>> = {
  '': 18_000,
  apps: 17_800,
  'events.k8s.io': 17_750,
  'authentication.k8s.io': 17_700,
  'authorization.k8s.io': 17_600,
  autoscaling: 17_500,
  batch: 17_400,
  'certificates.k8s.io': 17_300,
  'networking.k8s.io': 17_200,
  policy: 17_100,
  'rbac.authorization.k8s.io': 17_000,
  'storage.k8s.io': 16_800,
  'apiextensions.k8s.io': 16_700,
  'admissionregistration.k8s.io': 16_700,
  'scheduling.k8s.io': 16_600,
  'coordination.k8s.io': 16_500,
  'node.k8s.io': 16_300,
  'discovery.k8s.io': 16_200,
  'resource.k8s.io': 16_200,
  'flowcontrol.apiserver.k8s.io': 16_100,
};
const VERSION_PRIORITY: Readonly<Record<string, number>> = {
  'v1.': 1,
  'v2.autoscaling': 30,
  'v1.resource.k8s.io': 21,
  'v1.flowcontrol.apiserver.k8s.io': 21,
};

/** The spec of each, by name. */
export function localSpecs(): ReadonlyMap<string, Readonly<Record<string, unknown>>> {
  const specs = GROUP_TABLE.filter(({ group }) => group !== OWN_GROUP).flatMap(({ group, versions }) =>
    versions.map((version) => {
      const name = `${version}.${group}`;
      const groupPriorityMinimum = GROUP_PRIORITY[group] ?? 1000;
      const versionPriority = VERSION_PRIORITY[name] ?? 15;
      return [name, { ...(group === '' ? {} : { group }), version, groupPriorityMinimum, versionPriority }] as const;
    }),
  );
  return new Map(specs);
}

export interface LocalApiServicesParts {
  readonly engine: StorageEngine;
  readonly clock: Clock;
  readonly definition: ResourceDefinition;
  readonly newUid: () => string;
  readonly written?: Pick<WrittenObjects, 'add'> | undefined;
}

/** An object without the label is its owner's: it stays as it is. Another server may do the same at the same time. */
export async function registerLocalApiServices(parts: LocalApiServicesParts): Promise<void> {
  const { engine, definition } = parts;
  const { entries } = await engine.range(keyPrefix(definition, ''));
  const stored = new Map(entries.map((entry) => [entry.key, entry]));
  const writes = Array.from(localSpecs(), async ([name, spec]) => {
    const key = storedObjectKey(definition, { namespace: '', name });
    const entry = stored.get(key);
    const object = await registered(parts, name, spec, entry);
    if (object === undefined) return;
    const made = writtenObject(definition, object);
    parts.written?.add(key, made);
    await engine.commit({ type: 'put', key, value: made.value, expected: entry?.modRevision ?? 0n });
  });
  await Promise.all(writes);
}

async function registered(
  parts: LocalApiServicesParts,
  name: string,
  spec: Readonly<Record<string, unknown>>,
  entry: Entry | undefined,
): Promise<KubeObject | undefined> {
  const { clock, definition, newUid } = parts;
  const withOwners = serverOwners(parts, '');
  const status = { conditions: [localAvailable(clock.now())] };
  if (entry !== undefined) {
    const object = storedObject(definition, entry);
    if (object.metadata.labels?.[MANAGED_LABEL] !== ON_START || sameJson(object['spec'], spec)) return undefined;
    return withOwners(object, { ...object, spec, status });
  }
  const labels = { [MANAGED_LABEL]: ON_START };
  const metadata = { name, uid: newUid(), creationTimestamp: wholeSeconds(clock.now()), labels };
  return withOwners(undefined, { ...layoutOf(definition).type, metadata, spec, status });
}
