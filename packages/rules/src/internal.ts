/** For the packages of this workspace only: it may change without notice. */

export {
  type AdmissionPlugin,
  type AdmissionRequest,
  notAdmitted,
  type ObjectLookup,
  type ObjectReader,
} from './admission/admission-plugin.ts';
export { withRequestor } from './admission/certificate-requestor.ts';
export { certificateSubject } from './admission/certificate-subject.ts';
export { claimResize } from './admission/claim-resize.ts';
export { declaredNodeFeatures } from './admission/declared-node-features.ts';
export { defaultClassName } from './admission/default-class.ts';
export { defaultIngressClass } from './admission/default-ingress-class.ts';
export { defaultStorageClass } from './admission/default-storage-class.ts';
export { defaultTolerations } from './admission/default-tolerations.ts';
export { deviceAdminAccess } from './admission/device-admin-access.ts';
export { limitRanger } from './admission/limit-ranger.ts';
export { mergedTolerations } from './admission/merged-tolerations.ts';
export { nodeTaint } from './admission/node-taint.ts';
export { podPriority } from './admission/pod-priority.ts';
export { podResizeCapacity } from './admission/pod-resize-capacity.ts';
export { podRuntimeClass } from './admission/pod-runtime-class.ts';
export { type PodSecurityParts, podSecurity } from './admission/pod-security.ts';
export { podTopologyLabels } from './admission/pod-topology-labels.ts';
export { storageInUseProtection } from './admission/storage-in-use-protection.ts';
export { ageOf } from './columns/human-duration.ts';
export { NAME_COLUMN, nameCell } from './columns/table-column.ts';
export { wholeSeconds } from './columns/whole-seconds.ts';
export { KIND_RULES } from './kinds/built-in-rules.ts';
export { localAvailable } from './kinds/cluster/api-service.ts';
export { CLEANUP_FINALIZER } from './kinds/cluster/custom-resource-definition.ts';
export { MANDATORY_FLOW_OBJECTS } from './kinds/cluster/flow-control-objects.ts';
export { kubeletAddress } from './kinds/cluster/node-address.ts';
export { commonNameOf, organizationsOf } from './kinds/identity/request-subject.ts';
export {
  DEFAULT_SERVICE_RANGE,
  firstServiceIp,
  type IpFamily,
  parseServiceRange,
  type ServiceRange,
} from './kinds/networking/cluster-ip-allocator.ts';
export { type ServiceAddresses, serviceAddresses, withServiceNetwork } from './kinds/networking/service-network.ts';
export { coversPod, type EvictionVerdict, judgeEviction, needsNoBudget } from './kinds/pods/disruption-budget.ts';
export { protectedBy } from './kinds/storage/storage-protection.ts';
export type { KubeMetadata, KubeObject } from './kube-object.ts';
export { inRequestNamespace, requireRequestName } from './metadata/object-identity.ts';
export {
  type ManagedFields,
  managedFieldsIn,
  managedFieldsOf,
  ownersUnlessTimes,
  validateManagedFields,
  validateManagerName,
  withManagedFields,
} from './metadata/object-owners.ts';
export { distinctOwners } from './metadata/repeated-owners.ts';
export { keptMetadata, withoutServerFields } from './metadata/server-fields.ts';
export { checkedPod } from './pod-security/security-check.ts';
export {
  isStricter,
  type LevelVersion,
  levelText,
  type ParsedPolicy,
  securityPolicy,
} from './pod-security/security-policy.ts';
export { securityViolations, violationsText } from './pod-security/security-violations.ts';
export { AccessAnswers, type DecideAccess } from './policies/access-answers.ts';
export { MatchConditions, type MatchVerdict } from './policies/match-verdict.ts';
export { MutatingPolicy, type MutationChange, type MutationOperation } from './policies/mutating-policy.ts';
export { QuickBudget, TooLongHere } from './policies/policy-budget.ts';
export type { EvaluationThread } from './policies/policy-evaluation.ts';
export { PolicyInput, type PolicyRequest } from './policies/policy-input.ts';
export { PolicyPrograms } from './policies/policy-programs.ts';
export {
  CHECKED_KINDS_MAX,
  type CheckedKind,
  type CheckedType,
  checkedResources,
  type ExpressionWarning,
  type PolicyResource,
  typeWarnings,
} from './policies/type-check.ts';
export {
  type ConditionCheck,
  type PolicyAnnotation,
  type PolicyDecision,
  type PolicyOutcome,
  ValidatingPolicy,
} from './policies/validating-policy.ts';
export { AUTO_UPDATE_ANNOTATION, type DefaultAccessObject, defaultAccess } from './roles/default-access.ts';
export { BODY_LIMITS, type BodyLimits } from './strategy/body-limits.ts';
export { BUILT_IN_KINDS, builtInKind, SERVED_KINDS } from './strategy/built-in-kinds.ts';
export { canonicalCustom, EMBEDDED_METADATA, METADATA_TYPE, metadataPlan } from './strategy/custom-metadata.ts';
export { DEFAULT_TYPES, type DefaultObject, defaultObjects } from './strategy/default-objects.ts';
export { defineBuiltInKind } from './strategy/define-built-in-kind.ts';
export { listedFields } from './strategy/field-selection.ts';
export { keepStatus, withoutStatus } from './strategy/kind-conventions.ts';
export type {
  KindDefinition,
  ResourceStrategy,
  SubresourceStrategy,
  TableColumns,
  ValidateObject,
} from './strategy/kind-definition.ts';
export type { KindRules } from './strategy/kind-rules.ts';
export { requireCreatable } from './strategy/require-creatable.ts';
export { customResetFields } from './strategy/reset-fields.ts';
export { scaleOf, withScale } from './strategy/scale-form.ts';
export { newObjectBudget } from './strategy/size-budget.ts';
export { isStorableSize, requireStorableSize } from './strategy/storable-size.ts';
export { virtualKind } from './strategy/virtual-kinds.ts';
export { chargeQuotas } from './usage/quota-check.ts';
export { QuotaState } from './usage/quota-state.ts';
export { objectFindings } from './validate/object-findings.ts';
export { isCaBundle } from './validation/ca-bundle.ts';
export { subdomainName } from './validation/name-rules.ts';
