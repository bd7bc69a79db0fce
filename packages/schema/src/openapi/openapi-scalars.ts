/** Scalars of the schema language in OpenAPI. */

import type { ScalarType } from '../schema.ts';
import type { OpenApiSchema, OpenApiVersion } from './openapi-schema.ts';

/** A scalar that Go has as a type of its own, and OpenAPI as a component. */
export interface ScalarComponent {
  readonly name: string;
  readonly schema: OpenApiSchema;
}

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const DATE_TIME = { type: 'string', format: 'date-time' };

const COMPONENTS: Readonly<Partial<Record<ScalarType, ScalarComponent>>> = {
  duration: { name: `${META}.Duration`, schema: { type: 'string' } },
  fieldsV1: { name: `${META}.FieldsV1`, schema: { type: 'object' } },
  intOrString: {
    name: 'io.k8s.apimachinery.pkg.util.intstr.IntOrString',
    schema: { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
  },
  json: { name: 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON', schema: {} },
  microTime: { name: `${META}.MicroTime`, schema: DATE_TIME },
  quantity: {
    name: 'io.k8s.apimachinery.pkg.api.resource.Quantity',
    schema: { oneOf: [{ type: 'string' }, { type: 'number' }] },
  },
  rawExtension: { name: 'io.k8s.apimachinery.pkg.runtime.RawExtension', schema: { type: 'object' } },
  time: { name: `${META}.Time`, schema: DATE_TIME },
};

// Version 2 has no `oneOf`.
const COMPONENTS_OF_2: Readonly<Partial<Record<ScalarType, OpenApiSchema>>> = {
  intOrString: { type: 'string', format: 'int-or-string' },
  quantity: { type: 'string' },
};

/** The component that stands for a scalar; `undefined` when it is said in place. */
export function scalarComponent(type: ScalarType, version: OpenApiVersion): ScalarComponent | undefined {
  const component = COMPONENTS[type];
  const older = version === 2 ? COMPONENTS_OF_2[type] : undefined;
  return component === undefined || older === undefined ? component : { ...component, schema: older };
}

/** What is said of a scalar in place. */
export const INLINE_SCALARS: Readonly<Record<ScalarType, OpenApiSchema>> = {
  any: {},
  bool: { type: 'boolean' },
  bytes: { type: 'string', format: 'byte' },
  duration: { type: 'string' },
  fieldsV1: { type: 'object' },
  float64: { type: 'number', format: 'double' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  intOrString: { 'x-kubernetes-int-or-string': true },
  json: { 'x-kubernetes-preserve-unknown-fields': true },
  microTime: DATE_TIME,
  quantity: { 'x-kubernetes-int-or-string': true },
  rawExtension: {
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    'x-kubernetes-preserve-unknown-fields': true,
  },
  string: { type: 'string' },
  time: DATE_TIME,
};

/** The empty values of scalars that Go writes as they are: OpenAPI shows them as defaults. */
export const EMPTY_SCALARS: Readonly<Partial<Record<ScalarType, unknown>>> = {
  bool: false,
  float64: 0,
  int32: 0,
  int64: 0,
  string: '',
};
