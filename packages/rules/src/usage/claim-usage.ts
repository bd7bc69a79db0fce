/** The quota usage of a PersistentVolumeClaim: its count and its storage, in total and for its StorageClass. */

import { type JsonRecord, Quantity, recordOf, textOf } from '@listwatch/api/values';
import type { CountedObject } from './counted-object.ts';
import { type Amounts, amountMap, amountsOf } from './pod-resources.ts';
import { countName, namesMatch, type UsageRule } from './usage-rule.ts';

const COUNT = countName('', 'persistentvolumeclaims');
const NAMES: readonly string[] = ['persistentvolumeclaims', 'requests.storage'];
const OF_CLASS = '.storageclass.storage.k8s.io/';

/** The rule of PersistentVolumeClaims. After a failed expansion, the size in `allocatedResources` still counts. */
export const claimUsageRule: UsageRule = {
  counts: ({ subresource }) => subresource === '' || subresource === 'status',
  concerns: (name) => name === COUNT || NAMES.some((own) => name === own || name.endsWith(OF_CLASS + own)),
  usage,
  isInScope: (claim, requirement) =>
    requirement.scope === 'VolumeAttributesClass' && namesMatch(attributesClasses(claim), requirement),
};

function usage(claim: CountedObject): Amounts {
  const one = Quantity.of(1);
  const counted = new Map<string, Quantity>([
    [COUNT, one],
    ['persistentvolumeclaims', one],
  ]);
  const name = classOf(claim);
  if (name !== '') counted.set(`${name}${OF_CLASS}persistentvolumeclaims`, one);
  const storage = storageOf(claim);
  if (storage === undefined) return counted;
  counted.set('requests.storage', storage);
  return name === '' ? counted : counted.set(`${name}${OF_CLASS}requests.storage`, storage);
}

function storageOf({ spec, status }: CountedObject): Quantity | undefined {
  const asked = amountsOf(recordOf(spec), 'requests').get('storage');
  const allocated = amountMap(recordOf(status)['allocatedResources']).get('storage');
  if (asked === undefined) return undefined;
  const request = asked.roundUp();
  return allocated !== undefined && allocated.compare(request) > 0 ? allocated.roundUp() : request;
}

function attributesClasses({ spec, status }: CountedObject): readonly string[] {
  const state: JsonRecord = recordOf(status);
  const names = [
    recordOf(spec)['volumeAttributesClassName'],
    state['currentVolumeAttributesClassName'],
    recordOf(state['modifyVolumeStatus'])['targetVolumeAttributesClassName'],
  ];
  return [...new Set(names.map(textOf).filter((name) => name !== ''))];
}

/** The StorageClass of a claim. The old annotation takes precedence over the field, even if it is empty. */
export function classOf({ metadata, spec }: CountedObject): string {
  return (
    metadata.annotations?.['volume.beta.kubernetes.io/storage-class'] ?? textOf(recordOf(spec)['storageClassName'])
  );
}
