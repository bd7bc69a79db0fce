/** StorageObjectInUseProtection: volumes and claims get a finalizer that stays while they are in use. */

import { protectedBy } from '../kinds/storage/storage-protection.ts';
import type { AdmissionPlugin } from './admission-plugin.ts';

const protectVolume = protectedBy('kubernetes.io/pv-protection');
const protectClaim = protectedBy('kubernetes.io/pvc-protection');

/** On a creation only: a controller takes the finalizer off. */
export const storageInUseProtection: AdmissionPlugin = {
  name: 'StorageObjectInUseProtection',
  types: ['core/v1.PersistentVolume', 'core/v1.PersistentVolumeClaim'],
  mutate({ resource, object, old }) {
    if (old !== undefined) return object;
    return resource.plural === 'persistentvolumes' ? protectVolume(object) : protectClaim(object);
  },
};
