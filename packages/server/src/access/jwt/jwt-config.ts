/** The JWT authenticators of an `AuthenticationConfiguration`, apiserver.config.k8s.io/v1. */

/** One provider and how its tokens become users. */
export interface JwtConfig {
  readonly issuer: {
    readonly url: string;
    readonly discoveryURL?: string | undefined;
    /** PEM. */
    readonly certificateAuthority?: string | undefined;
    readonly audiences: readonly string[];
    readonly audienceMatchPolicy?: string | undefined;
    readonly egressSelectorType?: string | undefined;
  };
  readonly claimValidationRules?: readonly ClaimValidationRule[] | undefined;
  readonly claimMappings: ClaimMappings;
  readonly userValidationRules?: readonly UserValidationRule[] | undefined;
  /** Ours, for the flag `--oidc-signing-algs`; not in files. Default: all. */
  readonly signingAlgorithms?: readonly string[] | undefined;
}

/** A claim by its name, or an expression in CEL. */
export interface ClaimSource {
  readonly claim?: string | undefined;
  readonly expression?: string | undefined;
}

/** A claim that may get a prefix. */
export interface PrefixedClaim extends ClaimSource {
  readonly prefix?: string | undefined;
}

/** How claims become a user. */
export interface ClaimMappings {
  readonly username: PrefixedClaim;
  readonly groups?: PrefixedClaim | undefined;
  readonly uid?: ClaimSource | undefined;
  readonly extra?: readonly { readonly key: string; readonly valueExpression: string }[] | undefined;
}

/** What the claims of a token must fulfil. */
export interface ClaimValidationRule extends ClaimSource {
  readonly requiredValue?: string | undefined;
  readonly message?: string | undefined;
}

/** What the user must fulfil that the claims were mapped to. */
export interface UserValidationRule {
  readonly expression: string;
  readonly message?: string | undefined;
}

/** Who may come without credentials. */
export interface AnonymousConfig {
  readonly enabled: boolean;
  readonly conditions?: readonly { readonly path: string }[] | undefined;
}

/** The whole file. */
export interface AuthenticationConfiguration {
  readonly jwt: readonly JwtConfig[];
  readonly anonymous?: AnonymousConfig | undefined;
}
