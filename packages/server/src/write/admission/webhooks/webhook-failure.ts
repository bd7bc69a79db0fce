/** A failed call of a webhook: its failure policy decides whether the write is refused. */

/** The codes of failures in metrics. A denial has its own code. */
const BAD_ANSWER = 503;
const BAD_REQUEST = 400;
const NO_CALL = 500;

/** The reason why a webhook has no valid answer. The message is in the words of kube-apiserver. */
export class WebhookFailure extends Error {
  override readonly name = 'WebhookFailure';
  /** The code in metrics. */
  readonly metricCode: number;

  constructor(message: string, metricCode: number, options?: ErrorOptions) {
    super(message, options);
    this.metricCode = metricCode;
  }

  /** The CA bundle of the webhook is invalid. */
  static noClient(why: string): WebhookFailure {
    return new this(`could not get REST client: ${why}`, BAD_REQUEST);
  }

  /** The webhook was not reached, or its answer is no AdmissionReview. */
  static notCalled(why: string, options?: ErrorOptions): WebhookFailure {
    return new this(`failed to call webhook: ${why}`, NO_CALL, options);
  }

  /** The AdmissionReview is invalid. */
  static badAnswer(why: string): WebhookFailure {
    return new this(`received invalid webhook response: ${why}`, BAD_ANSWER);
  }

  static badPatch(why: string): WebhookFailure {
    return new this(why, BAD_ANSWER);
  }
}

export function failureText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
