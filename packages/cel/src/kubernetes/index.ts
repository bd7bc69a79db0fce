/** CEL as Kubernetes uses it in the rules of custom resources: its libraries, and the types and values of structural schemas. */

export type { StructuralSchema } from './declared-schema.ts';
export { type DeclaredType, MAX_REQUEST_BYTES, maxCardinality } from './declared-type.ts';
export { escapeFieldName, unescapeFieldName } from './field-name.ts';
export { KUBERNETES_LIBRARIES } from './kubernetes-libraries.ts';
export {
  kubernetesEnvironment,
  type SchemaEnvironment,
  type SchemaEnvironmentOptions,
  schemaEnvironment,
} from './schema-environment.ts';
export { adapterOf, type SchemaAdapter } from './schema-value.ts';
