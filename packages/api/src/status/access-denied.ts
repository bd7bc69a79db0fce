/** The failure of a request that its user may not make. */

import { escapeHtml } from '../names/escape-html.ts';
import { quote } from '../names/quote.ts';
import type { GroupResource } from '../objects/resource.ts';
import { forbidden } from './failures.ts';
import type { StatusError } from './status-error.ts';

/** Who wanted what: a verb on a resource, or a verb on a path that is no resource. */
export interface AccessAttempt {
  readonly user: string;
  readonly verb: string;
  readonly resource?: GroupResource | undefined;
  readonly subresource?: string | undefined;
  /** Absent or `''`: the whole cluster. */
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  /** Shown when there is no resource. */
  readonly path?: string | undefined;
}

/** 403, saying who cannot do what and where; `why` is what the authorizer adds, if anything. */
export function accessDenied(attempt: AccessAttempt, why = ''): StatusError {
  // A browser may show this to the user that it names, so Kubernetes keeps it from looking like HTML.
  const text = escapeHtml(describe(attempt));
  return forbidden(attempt.resource, attempt.name ?? '', why === '' ? text : `${text}: ${why}`);
}

function describe({ user, verb, resource, subresource, namespace, path }: AccessAttempt): string {
  if (resource === undefined) return `User ${quote(user)} cannot ${verb} path ${quote(path ?? '')}`;
  const target = subresource ? `${resource.plural}/${subresource}` : resource.plural;
  const scope = namespace ? `in the namespace ${quote(namespace)}` : 'at the cluster scope';
  return `User ${quote(user)} cannot ${verb} resource ${quote(target)} in API group ${quote(resource.group)} ${scope}`;
}
