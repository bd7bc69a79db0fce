/** Webhooks as a listener of Node's own servers, of Express and of Fastify. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerNode } from './node-listener.ts';
import { type Webhooks, webhookSetOf } from './webhook-set.ts';

/** Never throws. */
export type WebhookListener = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * A listener for a server that is yours: with certificates and an address of your own. It reads the body itself, so mount it before
 * anything that parses bodies.
 *
 * @example
 * app.use('/hooks', webhookListener(hooks)); // Express, before express.json()
 *
 * @throws TypeError for what `webhooks` did not make
 */
export function webhookListener(hooks: Webhooks): WebhookListener {
  const set = webhookSetOf(hooks);
  return (request, response) => void answerNode(set.calls, request, response, false);
}
