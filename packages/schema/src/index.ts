/** The schema language of Kubernetes objects, for built-in and custom kinds. Start at `Schema` and `SchemaSet`. */

export type {
  CelRule,
  Field,
  FieldRules,
  ListKind,
  ListSchema,
  MapKind,
  MapSchema,
  NamedSchema,
  PatchStrategy,
  ResolvedSchema,
  ScalarType,
  Schema,
  SchemaNode,
  SchemaPackage,
  StructSchema,
  TypeName,
  Validation,
  ValueRules,
} from './schema.ts';
export { SCALAR_TYPES } from './schema.ts';
export { isScalarType, SchemaSet, schemaNode } from './schema-set.ts';
export { applyStrategicPatch, type StrategicResult, strategicResult } from './strategic-merge/apply-strategic-patch.ts';
export {
  createThreeWayPatch,
  createTwoWayPatch,
  type PatchPreconditions,
  type StrategicPatch,
  type ThreeWayObjects,
  type ThreeWayOptions,
} from './strategic-merge/create-strategic-patch.ts';
export { StrategicMergeError, type StrategicMergeErrorCode } from './strategic-merge/strategic-merge-error.ts';
