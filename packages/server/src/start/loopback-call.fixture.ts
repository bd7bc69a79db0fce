/** One call of a server from within the process, for tests. */

import type { ApiServer } from './api-server-options.ts';

/** What came back. */
export interface LoopbackAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

const user = { name: 'admin', groups: ['system:masters'] };

/** Sends a request as an admin and reads the whole answer. */
export async function loopbackCall(
  server: ApiServer,
  method: string,
  path: string,
  body?: object,
): Promise<LoopbackAnswer> {
  const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  const headers = { 'content-type': 'application/json' };
  const response = await server.handle({ method, path, headers, body: bytes }, { user });
  const parts: Uint8Array[] = [];
  for await (const part of response.body) parts.push(Buffer.from(part));
  return { status: response.status, headers: response.headers, text: Buffer.concat(parts).toString() };
}
