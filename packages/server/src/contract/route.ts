/** A request, parsed once: limits, authorization, dispatch, metrics and the form of the answer all read this. */

import type { Query, RequestPath } from '@listwatch/api';

/** Which in-flight limit a request counts towards. */
export type RequestKind = 'mutating' | 'read' | 'watch';

/** What a request asks for. */
export interface Route {
  readonly method: string;
  /** The path as sent, percent-encoded. */
  readonly rawPath: string;
  readonly path: RequestPath;
  readonly query: Query;
  /**
   * On a resource the verb that authorization checks, `''` for a method that has none; on any other path the method in
   * lower case.
   */
  readonly verb: string;
  readonly kind: RequestKind;
  /** The object that authorization checks: the path's, or the one that a field selector of a list or watch names. */
  readonly name: string;
  /** Is the answer indented for a person to read? */
  readonly pretty: boolean;
}
