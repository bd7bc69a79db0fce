/** A run-time error as a value: it is returned, not thrown, because `&&`, `||` and macros absorb errors in loops. */
export class CelError {
  /** The text that cel-go gives, such as `no such key: a` or `division by zero`. */
  readonly message: string;
  /** `cost` ends the evaluation at once: no operator absorbs it. */
  readonly reason: 'cost' | 'evaluation';

  constructor(message: string, reason: 'cost' | 'evaluation' = 'evaluation') {
    this.message = message;
    this.reason = reason;
  }
}

/** The error of an evaluation that has used up its cost limit. */
export const COST_LIMIT_EXCEEDED: CelError = new CelError('operation cancelled: actual cost limit exceeded', 'cost');
