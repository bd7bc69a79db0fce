/** Deletes a collection page by page, so that neither side ever has all of it in memory. */

import {
  HEADER,
  isGone,
  MEDIA_TYPE,
  printListOptions,
  type Resource,
  resourcePath,
  statusErrorFromResponse,
} from '@listwatch/api';
import type { Cluster } from '@listwatch/client';

/** Objects for each request, as in client-go's pager. */
const PAGE = 500;

/** Metadata comes first in an answer; whatever is longer than this has no token. */
const HEAD_BYTES_MAX = 64 * 1024;

/** What is deleted. */
export interface CollectionTarget {
  readonly resource: Resource;
  readonly namespace: string;
  readonly signal: AbortSignal;
}

/** Dependents are not orphaned: everything in the namespace goes. */
const BODY = new TextEncoder().encode(
  JSON.stringify({ kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background' }),
);

/** Sends one delete of the collection for each page. */
export async function deletePages(cluster: Cluster, target: CollectionTarget): Promise<void> {
  let token: string | undefined;
  do {
    try {
      token = await deletePage(cluster, target, token);
    } catch (error) {
      // The token is too old. What was deleted is gone, so that starting over comes to an end.
      if (token === undefined || !isGone(error)) throw error;
      token = undefined;
    }
  } while (token !== undefined);
}

/** Resolves to the token of the next page. */
async function deletePage(
  { transport }: Cluster,
  { resource, namespace, signal }: CollectionTarget,
  token: string | undefined,
): Promise<string | undefined> {
  const query = printListOptions({ limit: PAGE, ...(token === undefined ? {} : { continue: token }) });
  const { status, headers, body } = await transport.send({
    method: 'DELETE',
    path: `${resourcePath(resource, { namespace })}?${query}`,
    headers: {
      [HEADER.accept.toLowerCase()]: MEDIA_TYPE.json,
      [HEADER.contentType.toLowerCase()]: MEDIA_TYPE.json,
    },
    body: BODY,
    signal,
  });
  const head = await readHead(body);
  if (status < 400) return continueToken(head);
  throw statusErrorFromResponse({
    code: status,
    body: head,
    contentType: headers[HEADER.contentType.toLowerCase()],
    retryAfter: headers[HEADER.retryAfter.toLowerCase()],
    method: 'DELETE',
    resource,
  });
}

/** Reads the answer to its end and keeps its beginning. */
async function readHead(body: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let head = '';
  for await (const chunk of body) if (head.length < HEAD_BYTES_MAX) head += decoder.decode(chunk, { stream: true });
  return head;
}

/** The token in `{"kind":...,"metadata":{...,"continue":"..."},"items":[...`. */
function continueToken(head: string): string | undefined {
  const [metadata = ''] = head.split('"items":', 1);
  const found = /"continue":\s*("(?:[^"\\]|\\.)+")/u.exec(metadata)?.[1];
  return found === undefined ? undefined : String(JSON.parse(found));
}
