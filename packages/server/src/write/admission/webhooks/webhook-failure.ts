/** A failed call of a webhook: its failure policy decides whether the write is refused. */

/** The codes of failures in metrics, as in kube-apiserver. A denial has its own code. */
const NO_CLIENT = 500;
const UNAVAILABLE = 503;
const BAD_REQUEST = 400;

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
    return new this(`could not get REST client: ${why}`, NO_CLIENT);
  }

  /** The webhook was not reached, or its answer is no AdmissionReview. */
  static notCalled(why: string, options?: ErrorOptions): WebhookFailure {
    return new this(`failed to call webhook: ${why}`, UNAVAILABLE, options);
  }

  /** The webhook has answered with a status that is no success. */
  static answered(why: string, status: number): WebhookFailure {
    return new this(`failed to call webhook: ${why}`, status);
  }

  /** The AdmissionReview is invalid. */
  static badAnswer(why: string): WebhookFailure {
    return new this(`received invalid webhook response: ${why}`, UNAVAILABLE);
  }

  static badPatch(why: string): WebhookFailure {
    return new this(why, UNAVAILABLE);
  }

  /** Only JSON patches are understood. */
  static patchType(type: string): WebhookFailure {
    return new this(`unsupported patch type ${JSON.stringify(type)}`, BAD_REQUEST);
  }
}

export function failureText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
