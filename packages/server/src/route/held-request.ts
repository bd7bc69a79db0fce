/** A request that stays open, and can be decided once more. */

import { unauthorized } from '@listwatch/api';
import type { Authenticator } from '../access/authenticator.ts';
import { accessAttributes, authorize } from '../access/authorizer.ts';
import type { Impersonator } from '../access/impersonator.ts';
import type { HeldRequests, OpenRequest } from '../access/revocation/open-requests.ts';
import { type CredentialBasis, credentialBasis, subjectKeys } from '../access/revocation/request-keys.ts';
import type { UserInfo } from '../contract/api-request.ts';
import type { Authorizer } from '../contract/authorization.ts';
import type { RequestKeeper } from './pipeline.ts';
import { actingUser, authenticatedUser, shownCredentials, type UserRequest } from './request-user.ts';

/** The request, who was let in, and who decides. */
export interface HeldRequestParts extends UserRequest {
  readonly requestor: UserInfo;
  readonly user: UserInfo;
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
  readonly impersonator: Impersonator;
}

/** The steps that decide about a request. */
type Deciders = Pick<HeldRequestParts, 'authenticator' | 'authorizer' | 'impersonator'>;

/** Keeps the open requests of a pipeline. */
export function requestKeeper(held: HeldRequests, deciders: Deciders): RequestKeeper {
  return {
    get losses() {
      return held.losses;
    },
    keep: (request, end, since) => held.hold(holdRequest({ ...request, ...deciders }, end), since),
  };
}

/** Requests from within the process have none. */
const NO_CREDENTIALS: CredentialBasis = { keys: [], expirations: [] };

/** The same steps as when it came. A credential that makes another user now is refused: the answer was not for that one. */
function holdRequest(parts: HeldRequestParts, end: () => void): OpenRequest {
  const { incoming, route, requestor, user, authenticator, authorizer, impersonator } = parts;
  const basis = incoming.user === undefined ? credentialBasis(shownCredentials(parts)) : NO_CREDENTIALS;
  return {
    keys: [...subjectKeys(requestor), ...subjectKeys(user), ...basis.keys],
    expirations: basis.expirations,
    end,
    async decide(loss) {
      if (loss === 'credential') requireSame(requestor, await authenticatedUser(authenticator, parts));
      requireSame(user, await actingUser(impersonator, parts, requestor));
      await authorize(authorizer, accessAttributes(route, user));
    },
  };
}

function requireSame(before: UserInfo, now: UserInfo): void {
  const isSame = before.name === now.name && before.uid === now.uid && hasSame(before.groups, now.groups);
  if (!isSame) throw unauthorized();
}

function hasSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((group, index) => group === other[index]);
}
