/** The parts of a request that webhooks and policies see for every operation. */

import { monotonicMs } from '@listwatch/api/internal';
import type { DynamicRequest, RequestHead } from '../../../contract/dynamic-admission.ts';
import type { ResourceCall, VerbContext } from '../../../contract/verb.ts';

/** The head of a call. `name`: a Namespace is in the namespace of its own name. */
export function requestHead(
  { definition, path }: Pick<ResourceCall, 'definition' | 'path'>,
  operation: RequestHead['operation'],
  name: string,
  subresource: string = path.subresource,
): RequestHead {
  const { group, plural, namespaced } = definition.resource;
  const namespace = namespaced ? path.namespace : group === '' && plural === 'namespaces' ? name : '';
  return { operation, definition, subresource, namespace };
}

/** The user, and the functions that add warnings for the client and annotations for the audit log. */
export function requestParts(
  { store }: Pick<VerbContext, 'store'>,
  { request, warn }: Pick<ResourceCall, 'request' | 'warn'>,
): Pick<DynamicRequest, 'annotate' | 'flow' | 'isRecorded' | 'remainingMs' | 'signal' | 'user' | 'warn'> {
  const { audit } = request;
  return {
    user: request.user,
    flow: request.flow,
    warn,
    annotate: audit && ((key, value) => audit.annotate(key, value)),
    isRecorded: audit?.takesRequest === true,
    remainingMs: () => (request.deadline === undefined ? Infinity : request.deadline - monotonicMs(store.clock)),
    signal: () => request.signal,
  };
}
