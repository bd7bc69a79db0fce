/** PersistentVolumeClaimResize: only a bound claim grows, and only when its StorageClass allows it. */

import { forbidden } from '@listwatch/api';
import { Quantity, recordOf } from '@listwatch/api/values';
import type { KubeObject } from '../kube-object.ts';
import { classOf } from '../usage/claim-usage.ts';
import { amountsOf } from '../usage/pod-resources.ts';
import type { AdmissionPlugin, ObjectReader } from './admission-plugin.ts';

const NOT_RESIZABLE =
  'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize';

/** The plugin, with the StorageClasses that it reads. */
export function claimResize(classes: Pick<ObjectReader, 'get'>): AdmissionPlugin {
  return {
    name: 'PersistentVolumeClaimResize',
    types: ['core/v1.PersistentVolumeClaim'],
    validate({ resource, object, old }) {
      if (old === undefined || sizeOf(object).compare(sizeOf(old)) <= 0) return;
      const refuse = (why: string): Error => forbidden(resource, object.metadata.name ?? '', why);
      if (recordOf(old['status'])['phase'] !== 'Bound') {
        throw refuse('Only bound persistent volume claims can be expanded');
      }
      const name = classOf(object);
      const found = name === '' || name !== classOf(old) ? undefined : classes.get('', name);
      if (found?.['allowVolumeExpansion'] !== true) throw refuse(NOT_RESIZABLE);
    },
  };
}

function sizeOf(claim: KubeObject): Quantity {
  return amountsOf(recordOf(claim['spec']), 'requests').get('storage') ?? Quantity.ZERO;
}
