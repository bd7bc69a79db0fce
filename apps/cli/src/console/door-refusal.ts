/** The refusals of the door, as `StatusError`s. */

import { failure, genericFailure, type StatusError } from '@listwatch/api';
import type { DoorRoute } from './door-route.ts';

const REASONS = { 400: 'BadRequest', 403: 'Forbidden', 503: 'ServiceUnavailable' } as const;

export function refused(code: keyof typeof REASONS, message: string, options?: ErrorOptions): StatusError {
  return failure({ code, reason: REASONS[code], message }, options);
}

/** Of a target that the door does not serve, or not in this way. */
export function refusalOf({ type }: DoorRoute): StatusError {
  if (type === 'malformed') return refused(400, 'the path is not one that the console serves');
  if (type === 'withheld')
    return refused(403, 'the console does not run commands, pass through to workloads or make tokens');
  return genericFailure(404);
}
