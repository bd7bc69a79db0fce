/**
 * CEL as Kubernetes uses it: its libraries, the types and values of structural schemas for the rules of custom resources, and the
 * environments of admission and of device selectors.
 */

export { type AdmissionEnvironmentOptions, admissionEnvironment, variableType } from './admission-environment.ts';
export type { StructuralSchema } from './declared-schema.ts';
export { type DeclaredType, MAX_REQUEST_BYTES, maxCardinality } from './declared-type.ts';
export { DEVICE_SIZES, deviceEnvironment } from './device-environment.ts';
export { escapeFieldName, unescapeFieldName } from './field-name.ts';
export { KUBERNETES_LIBRARIES } from './kubernetes-libraries.ts';
export {
  kubernetesEnvironment,
  type SchemaEnvironment,
  type SchemaEnvironmentOptions,
  schemaEnvironment,
} from './schema-environment.ts';
export { adapterOf, type SchemaAdapter } from './schema-value.ts';
