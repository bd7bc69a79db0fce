/** A webhook for tests: keeps what it was asked, and answers what the test says. */

import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

/** A request that it got. */
export interface AskedReview {
  readonly target: string;
  readonly headers: IncomingMessage['headers'];
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

/** What to answer: a status, an error code with a text, or anything else by hand. */
export type ReviewReply = object | readonly [code: number, text: string] | ((response: ServerResponse) => void);

export class ReviewWebhook implements AsyncDisposable {
  readonly asked: AskedReview[] = [];
  /** Default: no opinion. */
  reply: (asked: AskedReview) => ReviewReply = () => ({ allowed: false });
  readonly #server: Server;
  url = '';

  constructor() {
    this.#server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const body: unknown = JSON.parse(Buffer.concat(parts).toString());
        const asked = { target: request.url ?? '', headers: request.headers, body };
        this.asked.push(asked);
        answer(response, this.reply(asked));
      });
    });
  }

  static async start(): Promise<ReviewWebhook> {
    const webhook = new ReviewWebhook();
    webhook.#server.listen(0, '127.0.0.1');
    await once(webhook.#server, 'listening');
    const address = webhook.#server.address();
    webhook.url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/authorize`;
    return webhook;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

function answer(response: ServerResponse, reply: ReviewReply): void {
  if (typeof reply === 'function') reply(response);
  else if (isError(reply)) response.writeHead(reply[0], { 'content-type': 'text/plain' }).end(reply[1]);
  else {
    const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', status: reply };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(review));
  }
}

function isError(reply: object): reply is readonly [number, string] {
  return Array.isArray(reply);
}
