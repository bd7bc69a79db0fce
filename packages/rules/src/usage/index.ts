/** Quota usage of objects: for the server, which charges it, and for the quota controller, which recounts it. */

export { classOf } from './claim-usage.ts';
export type { CountedObject, CountedWrite, TimeSource } from './counted-object.ts';
export type { DeviceObjects } from './device-claim-usage.ts';
export { podQosClass, type QosClass } from './pod-qos.ts';
export {
  type AmountKind,
  type Amounts,
  amountMap,
  amountsOf,
  containerAmounts,
  hasPodAmounts,
  isOfPods,
  podAmounts,
} from './pod-resources.ts';
export { isInScopes, scopeRequirements } from './quota-scope.ts';
export { countName, type ScopeRequirement, type UsageRule } from './usage-rule.ts';
export { type CountedKind, isCountedByParts, usageRules } from './usage-rules.ts';
