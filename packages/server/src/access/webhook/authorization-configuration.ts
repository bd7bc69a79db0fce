/** An `AuthorizationConfiguration`, apiserver.config.k8s.io/v1. */

/** The whole file. */
export interface AuthorizationConfiguration {
  readonly authorizers: readonly AuthorizerConfig[];
}

/** One authorizer. */
export interface AuthorizerConfig {
  /** `Webhook`, or one that is built in. */
  readonly type: string;
  readonly name: string;
  /** Of the type `Webhook`. */
  readonly webhook?: WebhookConfig | undefined;
}

/** A webhook. Times are durations as Go writes them, such as `2s`. */
export interface WebhookConfig {
  readonly timeout?: string | undefined;
  readonly authorizedTTL?: string | undefined;
  readonly unauthorizedTTL?: string | undefined;
  readonly cacheAuthorizedRequests?: boolean | undefined;
  readonly cacheUnauthorizedRequests?: boolean | undefined;
  readonly subjectAccessReviewVersion?: string | undefined;
  readonly matchConditionSubjectAccessReviewVersion?: string | undefined;
  readonly failurePolicy?: string | undefined;
  readonly connectionInfo?:
    | { readonly type?: string | undefined; readonly kubeConfigFile?: string | undefined }
    | undefined;
  readonly matchConditions?: readonly { readonly expression?: string | undefined }[] | undefined;
}
