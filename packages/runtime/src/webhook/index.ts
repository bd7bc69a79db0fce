/** The door for webhooks: admission and conversion. Start at `webhooks`; on Node, `node.ts` adds the server. */

export type { FetchHandler } from './fetch-handler.ts';
export type { HookRule, HookSelector, MutateHookOptions, ValidateHookOptions } from './hook-options.ts';
export type { HookedKind, HookedObject } from './hooked-kind.ts';
export type { WebhookInstallation, WebhookService } from './installation.ts';
export type {
  AdmissionOperation,
  HookRequest,
  MutateHandler,
  RequestFacts,
  RequestUser,
  ValidateHandler,
  WriteOperation,
} from './review/admission-request.ts';
export type { ConversionStep, ConversionSteps, Converted, VersionKinds } from './review/conversion.ts';
export type { Draft, Mutable } from './review/draft.ts';
export {
  AdmissionDenied,
  type AdmissionNote,
  type AdmissionWarning,
  audit,
  type DenialCause,
  type DenialOptions,
  deny,
  type HookVerdict,
  type VerdictResult,
  warn,
} from './review/verdict.ts';
export {
  type CrdWithVersions,
  type WebhookManifest,
  type WebhookManifestsOptions,
  webhookManifests,
} from './webhook-manifests.ts';
export type { WebhooksOptions } from './webhook-options.ts';
export { type Webhooks, webhooks } from './webhook-set.ts';
