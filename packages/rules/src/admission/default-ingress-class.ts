/** DefaultIngressClass: a new Ingress without a class gets the default one. */

import { extended, recordOf } from '@listwatch/api/values';
import type { AdmissionPlugin, ObjectReader } from './admission-plugin.ts';
import { defaultClassName } from './default-class.ts';

const MARKS = ['ingressclass.kubernetes.io/is-default-class'];
/** The annotation in which old clients name the class. */
const CLASS_ANNOTATION = 'kubernetes.io/ingress.class';

/** The plugin, with the IngressClasses that it reads. */
export function defaultIngressClass(classes: ObjectReader): AdmissionPlugin {
  const defaultName = defaultClassName(classes, MARKS);
  return {
    name: 'DefaultIngressClass',
    types: ['networking/v1.Ingress'],
    mutate({ object, old }) {
      const spec = recordOf(object['spec']);
      const annotations: object = object.metadata.annotations ?? {};
      const isNamed = spec['ingressClassName'] !== undefined || Object.hasOwn(annotations, CLASS_ANNOTATION);
      const ingressClassName = old !== undefined || isNamed ? undefined : defaultName();
      return ingressClassName === undefined ? object : extended(object, { spec: extended(spec, { ingressClassName }) });
    },
  };
}
