/** DefaultStorageClass: a new claim without a class gets the default one. */

import { extended, recordOf } from '@listwatch/api/values';
import type { AdmissionPlugin, ObjectReader } from './admission-plugin.ts';
import { defaultClassName } from './default-class.ts';

const MARKS = ['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class'];
/** The annotation in which old clients name the class. */
const CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class';

/** The plugin, with the StorageClasses that it reads. A claim with the class `''` gets no default. */
export function defaultStorageClass(classes: ObjectReader): AdmissionPlugin {
  const defaultName = defaultClassName(classes, MARKS);
  return {
    name: 'DefaultStorageClass',
    types: ['core/v1.PersistentVolumeClaim'],
    mutate({ object, old }) {
      const spec = recordOf(object['spec']);
      const isNamed = spec['storageClassName'] !== undefined || hasAnnotation(object.metadata.annotations);
      const storageClassName = old !== undefined || isNamed ? undefined : defaultName();
      return storageClassName === undefined ? object : extended(object, { spec: extended(spec, { storageClassName }) });
    },
  };
}

function hasAnnotation(annotations: object = {}): boolean {
  return Object.hasOwn(annotations, CLASS_ANNOTATION);
}
