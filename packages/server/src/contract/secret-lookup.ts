/** Secrets that authenticate users. */

/** A Secret as authentication reads it. */
export interface CredentialSecret {
  readonly type: string;
  /** The values, decoded. */
  readonly data: ReadonlyMap<string, string>;
  readonly isDeleting: boolean;
}

/** Finds a Secret; undefined when there is none of that name. Throws while Secrets cannot be read. */
export type SecretLookup = (namespace: string, name: string) => CredentialSecret | undefined;
