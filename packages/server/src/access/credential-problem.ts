/** Why a credential is refused. */

/**
 * A credential that belongs to an authenticator and is refused by it. The message is for the log and for TokenReviews: the
 * client of a request only learns that it is `Unauthorized`.
 */
export class CredentialProblem extends Error {
  override readonly name: string = 'CredentialProblem';
}
