/** The schema language of Kubernetes objects, for built-in and custom kinds. Start at `Schema` and `SchemaSet`. */

export {
  isJsonNumber,
  isRecord,
  type JsonRecord,
  jsonType,
  listOf,
  numberOf,
  recordOf,
  recordsOf,
  textOf,
} from '@listwatch/api/values';
export {
  type AppliedConfiguration,
  type ApplyConfigurationResult,
  applyConfiguration,
  type ConflictingApply,
  type SuccessfulApply,
} from './apply/apply-configuration.ts';
export type { ApplyField, ApplyList, ApplyMap, ApplyScalar, ApplyType } from './apply/apply-type.ts';
export { ApplyTypes } from './apply/apply-types.ts';
export { type ExtractOptions, extractOwnedFields } from './apply/extract-owned.ts';
export {
  FieldSet,
  fieldPath,
  type ManagedFieldPath,
  managedFieldPathText,
} from './apply/fields/field-set.ts';
export { fieldSetMemory, readFields } from './apply/fields/fields-v1.ts';
export { areManagedFieldsReadable, isManagedFieldsReset, managedFieldsButTimes } from './apply/managed-fields.ts';
export { type MergedObject, mergeUnowned } from './apply/merge-unowned.ts';
export type { OwnershipContext } from './apply/ownership-context.ts';
export { OwnershipError, type OwnershipErrorCode } from './apply/ownership-error.ts';
export {
  type ReplicasPaths,
  type ScaledObject,
  scaledManagedFields,
  scaleManagedFields,
} from './apply/scale-fields.ts';
export { type TrackedUpdate, trackUpdate } from './apply/track-update.ts';
export { zeroObject } from './apply/zero-object.ts';
export { SchemaTypes } from './cel-types.ts';
export type { DeclaredSchema } from './crd/cel/declared-schema.ts';
export { PreservedValue } from './crd/cel/preserved-value.ts';
export { type PublishedType, publishedType } from './crd/cel/published-types.ts';
export {
  type SchemaEnvironment,
  type SchemaEnvironmentOptions,
  schemaEnvironment,
} from './crd/cel/schema-environment.ts';
export { adapterOf, type SchemaAdapter } from './crd/cel/schema-value.ts';
export {
  type CustomColumn,
  customColumns,
  type PrinterColumn,
  type SelectableField,
  selectableFields,
} from './crd/custom-columns.ts';
export { type CustomComponents, customComponents, type PublishedKind } from './crd/custom-openapi.ts';
export type { CustomRules, RuleCheck, RuleEvaluation } from './crd/custom-rules.ts';
export { type ScaleValue, scaleReplicas, scaleSelector, withReplicas } from './crd/custom-scale.ts';
export { CustomSchema, type MetadataRules } from './crd/custom-schema.ts';
export { type ApiApproval, apiApproval, isProtectedGroup } from './crd/definition/approval-problems.ts';
export { defaultDefinition, withStorageVersion } from './crd/definition/definition-defaults.ts';
export {
  type DefinitionCheckOptions,
  definitionProblems,
  definitionStatusProblems,
} from './crd/definition/definition-problems.ts';
export { definitionWarnings } from './crd/definition/definition-warnings.ts';
export {
  type CoercedObject,
  coerceObject,
  decodeCustomObject,
  defaultObject,
  dropNulls,
  pruneObject,
  readCustomObject,
  unknownFields,
} from './crd/object/custom-object.ts';
export {
  type CustomValidationOptions,
  type ScalePaths,
  validateObject,
} from './crd/object/custom-validation.ts';
export { celRules } from './crd/rules/cel-rules.ts';
export { schemaLanguage } from './crd/schema-language.ts';
export { type ByteCount, canonical, checkedForm } from './decode/canonical.ts';
export type {
  DecodePlan,
  EmptyForm,
  FieldPlan,
  FieldSize,
  FormPlan,
  ListPlan,
  MapPlan,
  ScalarPlan,
  StructPlan,
} from './decode/decode-plan.ts';
export { type DecodePlanOptions, DecodePlans } from './decode/decode-plans.ts';
export { decodeProblem } from './decode/decode-problem.ts';
export { DocumentCheck } from './decode/document-check.ts';
export { faultPath } from './decode/fault-path.ts';
export {
  fieldComplaints,
  strictError,
  unknownFieldComplaints,
  unknownFieldPaths,
} from './decode/field-complaints.ts';
export { fractionProblem } from './decode/fraction-problem.ts';
export { type JsonLevel, type JsonVisitor, pathOf, walkJson } from './decode/json-walk.ts';
export { withDefaults } from './decode/schema-defaults.ts';
export { type Findings, NO_FINDINGS } from './findings.ts';
export { JsonPathError } from './json-path/json-path-error.ts';
export { JsonPath, type JsonPathOptions } from './json-path/path-template.ts';
export { VisitBudget } from './json-path/visit-budget.ts';
export { OpenApiComponents, type OpenApiComponentsOptions, openApiName } from './openapi/openapi-components.ts';
export type { GroupVersionKind, OpenApiSchema, OpenApiVersion } from './openapi/openapi-schema.ts';
export { type DecodeMessageOptions, decodeMessage } from './protobuf/decode-message.ts';
export { type EncodeMessageOptions, encodeMessage } from './protobuf/encode-message.ts';
export { type Envelope, type EnvelopeParts, envelopeParts, openEnvelope, sealEnvelope } from './protobuf/envelope.ts';
export { MessageCoverage } from './protobuf/message-coverage.ts';
export type { InlineField, MessageField, MessagePlan, MessageValue, NamedField } from './protobuf/message-plan.ts';
export { MessagePlans } from './protobuf/message-plans.ts';
export { ProtobufProblem } from './protobuf/protobuf-problem.ts';
export type { JsonParser } from './protobuf/scalar-readers.ts';
export type { JsonText } from './protobuf/scalar-writers.ts';
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
export { conversionProblem } from './strategic-merge/conversion-problem.ts';
export {
  createThreeWayPatch,
  createTwoWayPatch,
  type PatchPreconditions,
  type StrategicPatch,
  type ThreeWayObjects,
  type ThreeWayOptions,
} from './strategic-merge/create-strategic-patch.ts';
export { goText, goType } from './strategic-merge/go-text.ts';
export { StrategicMergeError, type StrategicMergeErrorCode } from './strategic-merge/strategic-merge-error.ts';
