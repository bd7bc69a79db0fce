/** A browser without a screen, and the link that it opens. */

import { once } from 'node:events';
import { WebSocket } from 'ws';
import { keyIn, keyProtocol } from './open-door.fixture.ts';

/** A browser that has opened a link. */
export class LoggedInBrowser {
  readonly url: string;
  readonly #cookie: string;
  readonly #key: string;

  constructor(url: string, cookie: string, key: string) {
    this.url = url;
    this.#cookie = cookie;
    this.#key = key;
  }

  static async open(link: string): Promise<LoggedInBrowser> {
    const answer = await fetch(link, { redirect: 'manual' });
    if (answer.status !== 200) throw new Error(`the link was answered with ${answer.status}`);
    const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
    return new LoggedInBrowser(new URL(link).origin, cookie, keyIn(await answer.text()));
  }

  get headers(): Record<string, string> {
    return { cookie: this.#cookie, origin: this.url, authorization: `Bearer ${this.#key}` };
  }

  async send(path: string, method = 'GET', body?: object): Promise<{ readonly status: number; readonly text: string }> {
    const headers = { ...this.headers, 'content-type': 'application/json' };
    const answer = await fetch(this.url + path, {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
    });
    return { status: answer.status, text: await answer.text() };
  }

  /** The frames of a watch, as they come. */
  async watch(path: string): Promise<{ readonly socket: WebSocket; readonly frames: string[] }> {
    const protocols = [keyProtocol(this.#key), 'watch.listwatch'];
    const socket = new WebSocket(this.url.replace('http', 'ws') + path, protocols, { headers: this.headers });
    const frames: string[] = [];
    socket.on('message', (data) => frames.push(Buffer.isBuffer(data) ? data.toString() : ''));
    await once(socket, 'open');
    return { socket, frames };
  }
}

/** The link in a line of output. */
export function linkIn(line: string): string {
  return /http:\/\/\S+code=[\w-]+/u.exec(line)?.[0] ?? '';
}
