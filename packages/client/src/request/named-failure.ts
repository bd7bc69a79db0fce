/** Says in a transport's errors which request failed. */

import { groupResourceText, type Resource } from '@listwatch/api';
import { isTransportError, TransportError } from '../transport/transport-error.ts';

/** What is asked of which server. */
export interface RequestSubject {
  readonly verb: 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch';
  readonly resource: Resource;
  readonly server: string;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}

/** `watch configmaps in default at https://10.0.0.1:6443`. */
export function subjectText({ verb, resource, server, namespace, name }: RequestSubject): string {
  const object = name === undefined || name === '' ? '' : ` ${name}`;
  const where = namespace === undefined || namespace === '' ? '' : ` in ${namespace}`;
  return `${verb} ${groupResourceText(resource)}${object}${where} at ${server}`;
}

/** The error with the request in its message; what is no `TransportError` says by itself what it is about. */
export function namedFailure(error: unknown, subject: RequestSubject): unknown {
  if (!isTransportError(error)) return error;
  return new TransportError(error.code, `${subjectText(subject)}: ${error.message}`, { cause: error });
}
