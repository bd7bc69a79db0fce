/** The rules of Kubernetes for each built-in kind: pure functions of objects, without I/O. */

export type { KubeMetadata, KubeObject } from './kube-object.ts';
export type { KindDefinition } from './strategy/kind-definition.ts';
export {
  hasRules,
  type ValidateOptions,
  type ValidationResult,
  validate,
} from './validate/validate-object.ts';
export type { ValidationError } from './validate/validation-error.ts';
