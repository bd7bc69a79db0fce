/** A good object of a kind, with a change and a status, to see who owns what of it. */

/** An object that two servers are sent. */
export interface OwnedBody {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** Default: `owned`. */
  readonly name?: string;
  /** Without `apiVersion`, `kind` and metadata. */
  readonly body: object;
  /** A merge patch beside metadata. Default: none. */
  readonly change?: object;
  /** A status for the `status` endpoint; absent when the kind has none. */
  readonly status?: object;
  /** Does the kind have a `scale`? */
  readonly scale?: boolean;
}

/** An object of a kind. */
export function owned(
  apiVersion: string,
  kind: string,
  plural: string,
  namespaced: boolean,
  body: object,
  rest: Pick<OwnedBody, 'change' | 'name' | 'scale' | 'status'>,
): OwnedBody {
  return { apiVersion, kind, plural, namespaced, body, ...rest };
}
