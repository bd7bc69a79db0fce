/** The refusal of a webhook: the client gets the Status that the webhook has sent. */

import { type Status, StatusError } from '@listwatch/api';
import { type JsonRecord, numberOf, textOf } from '@listwatch/api/values';

/** A webhook that answered with a refusal: neither a failed call nor an error of this server, whatever its code. */
export class WebhookDenial extends Error {
  override readonly name = 'WebhookDenial';
  /** The answer for the client. */
  readonly answer: StatusError;

  constructor(answer: StatusError) {
    super(answer.message);
    this.answer = answer;
  }
}

/** The error for the client. A code below 400 becomes 400; the reason never sets the code. */
export function webhookDenial(hook: string, given: JsonRecord = {}): StatusError {
  const deniedBy = `admission webhook ${JSON.stringify(hook)} denied the request`;
  const why = textOf(given['message']) || textOf(given['reason']);
  const code = numberOf(given['code']);
  const { status, metadata = {}, apiVersion: _version, kind: _kind, ...rest } = given;
  const answer = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata,
    ...rest,
    status: textOf(status) === '' || status === 'Success' ? 'Failure' : status,
    message: why === '' ? `${deniedBy} without explanation` : `${deniedBy}: ${why}`,
    code: code < 400 ? 400 : code,
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Kubernetes passes on what the webhook says, too
  return new StatusError(answer as unknown as Status);
}
