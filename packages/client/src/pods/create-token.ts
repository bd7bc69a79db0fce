/** Tokens of service accounts, as `kubectl create token` gets them. */

import { type AbortOptions, resource, resourcePath } from '@listwatch/api';
import { recordOf, textOf } from '@listwatch/api/values';
import type { Cluster, ObjectTarget } from '../cluster.ts';
import { transportRequest } from '../request/json-request.ts';
import { namedFailure, type RequestSubject } from '../request/named-failure.ts';
import { checkOptionNames, type OptionNames } from '../request/option-names.ts';
import { readJsonBody } from '../request/read-body.ts';
import { TARGET_NAMES } from '../request/request-options.ts';
import { exchange } from '../request/send-request.ts';
import { TransportError } from '../transport/transport-error.ts';

/** Options of `createToken`. */
export interface CreateTokenOptions extends AbortOptions {
  /** Whom the token is for. Default: the API server. */
  readonly audiences?: readonly string[] | undefined;
  /** At least 600. Default: the server's, an hour. */
  readonly expirationSeconds?: number | undefined;
  /** The token dies with this object. Default: none. */
  readonly boundTo?:
    | { readonly kind: 'Node' | 'Pod' | 'Secret'; readonly name: string; readonly uid?: string }
    | undefined;
}

/** A token and the time until which it is valid. */
export interface CreatedToken {
  readonly token: string;
  readonly expires: Date;
}

const CREATE_TOKEN_NAMES: OptionNames<CreateTokenOptions> = {
  signal: true,
  audiences: true,
  expirationSeconds: true,
  boundTo: true,
};
const MAX_BYTES = 1024 * 1024;

const accounts = resource({ version: 'v1', plural: 'serviceaccounts', kind: 'ServiceAccount', namespaced: true });
const tokens = resource({ version: 'v1', plural: 'serviceaccounts/token', kind: 'TokenRequest', namespaced: true });

/**
 * A new token of a service account.
 *
 * @example
 * const { token } = await createToken(cluster, { name: 'robot' }, { audiences: ['vault'], expirationSeconds: 600 });
 */
export async function createToken(
  cluster: Pick<Cluster, 'namespace' | 'server' | 'transport' | 'userAgent'>,
  target: ObjectTarget,
  options: CreateTokenOptions = {},
): Promise<CreatedToken> {
  checkOptionNames('createToken', target, TARGET_NAMES);
  checkOptionNames('createToken', options, CREATE_TOKEN_NAMES);
  const { audiences, expirationSeconds, boundTo, signal } = options;
  const { name, namespace = cluster.namespace } = target;
  const boundObjectRef = boundTo && { apiVersion: 'v1', ...boundTo };
  const spec = { audiences, expirationSeconds, boundObjectRef };
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', metadata: {}, spec };
  const path = resourcePath(accounts, { namespace, name, subresource: 'token' });
  const subject: RequestSubject = { verb: 'create', resource: tokens, server: cluster.server, namespace, name };
  try {
    const request = transportRequest({ method: 'POST', path, body, signal }, cluster.userAgent);
    const answer = await exchange(cluster.transport, request, subject);
    const { token, expirationTimestamp } = recordOf((await readJsonBody(answer.body, MAX_BYTES))['status']);
    const expires = new Date(textOf(expirationTimestamp));
    if (typeof token !== 'string' || token === '' || Number.isNaN(expires.getTime())) {
      throw new TransportError('PROTOCOL', 'the answer has no token');
    }
    return { token, expires };
  } catch (error) {
    throw namedFailure(error, subject);
  }
}
