/** Asks a member of etcd or a server something, with certificates. */

import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';

export interface TlsFiles {
  readonly ca: string | Buffer;
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
}

/** The body of a good answer; undefined when there is none within two seconds. */
export async function ask(url: string, tls: TlsFiles, body?: string): Promise<string | undefined> {
  try {
    const sent = request(url, { ...tls, agent: false, method: body === undefined ? 'GET' : 'POST', timeout: 2000 });
    sent.once('timeout', () => sent.destroy(new Error('no answer')));
    sent.end(body);
    const [answer]: IncomingMessage[] = await once(sent, 'response');
    let text = '';
    for await (const chunk of answer ?? []) text += String(chunk);
    return answer?.statusCode === 200 ? text : undefined;
  } catch {
    return undefined;
  }
}
