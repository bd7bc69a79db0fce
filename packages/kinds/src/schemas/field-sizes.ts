/** What kinds know of the sizes of their fields beside the schema, for the limits of an object. */

import type { FieldSize } from '@listwatch/schema';

/** With its defaults a container takes at least this. */
const CONTAINER: FieldSize = { itemBytes: 130 };

/** By the type and the field. */
export const FIELD_SIZES: Readonly<Record<string, FieldSize>> = {
  'core/v1.ConfigMap.binaryData': { limit: 'values' },
  'core/v1.ConfigMap.data': { limit: 'values' },
  'core/v1.Container.ports': { itemBytes: 36 },
  'core/v1.EphemeralContainer.ports': { itemBytes: 36 },
  'core/v1.PodSpec.containers': CONTAINER,
  'core/v1.PodSpec.ephemeralContainers': CONTAINER,
  'core/v1.PodSpec.initContainers': CONTAINER,
  'core/v1.PodSpec.volumes': { itemBytes: 21 },
  'core/v1.Secret.data': { limit: 'values' },
  'core/v1.Secret.stringData': { limit: 'values' },
  'core/v1.ServiceSpec.ports': { itemBytes: 42 },
  'meta/v1.ObjectMeta.annotations': { limit: 'all' },
};
