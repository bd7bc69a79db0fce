/** Kinds of your own: `defineKind` makes a type, a `Resource` and a CRD out of a schema; `typesOfDefinitions` the types of a CRD. */

export { conditionsSchema } from './conditions-schema.ts';
export {
  type CrdManifest,
  type CustomKind,
  type CustomObject,
  defineKind,
  mergeVersions,
  type NewCustomMetadata,
  type NewCustomObject,
} from './custom-kind.ts';
export type { Answered, DeepReadonly } from './deep-readonly.ts';
export type { DefineKindOptions, KindColumn, KindScale } from './define-kind-options.ts';
export type { StructuralSchema } from './schema-place.ts';
export type { JsonSchema, SchemaInput, SchemaOutput, StandardSchema } from './standard-schema.ts';
export { structuralSchema } from './structural-schema.ts';
export { typesOfDefinitions } from './type-text.ts';
