/** Counts what was decided about requests. */

import { type AccessDecision, type Authorizer, DenyingFailure } from '../contract/authorization.ts';
import { Counter, type Registry } from '../contract/metrics.ts';

/** Numbers since the start, by the names of kube-apiserver. */
export class AuthorizationCounts {
  /** Requests. `denied`: an authorizer refused; `no-opinion`: none allowed it. */
  readonly attempts: Record<'allowed' | 'denied' | 'error' | 'no-opinion', number> = {
    allowed: 0,
    denied: 0,
    error: 0,
    'no-opinion': 0,
  };
  /** Final decisions by the name of the authorizer that made them. */
  readonly #decisions = new Map<string, { type: string; allowed: number; denied: number }>();

  /** The authorizer of requests, counted. */
  attempted(authorizer: Authorizer): Authorizer {
    const { attempts } = this;
    return observed(authorizer, (decision) => {
      if (decision === undefined) attempts.error += 1;
      else if (decision.allowed) attempts.allowed += 1;
      else attempts[decision.denied === true ? 'denied' : 'no-opinion'] += 1;
    });
  }

  /** One of several authorizers, whose decisions are counted. Those of an earlier one of the same name are added to. */
  decided(type: string, name: string, authorizer: Authorizer): Authorizer {
    const counts = this.#decisions.get(name) ?? { type, allowed: 0, denied: 0 };
    this.#decisions.set(name, counts);
    return observed(authorizer, (decision, error) => {
      if (decision?.allowed === true) counts.allowed += 1;
      else if (decision?.denied === true || error instanceof DenyingFailure) counts.denied += 1;
    });
  }

  /** Forgets authorizers that a changed configuration no longer names: their names would pile up. */
  keep(names: ReadonlySet<string>): void {
    for (const name of this.#decisions.keys()) if (!names.has(name)) this.#decisions.delete(name);
  }

  /** Shows the counts in `/metrics`. */
  register(registry: Registry): void {
    const { attempts } = this;
    const decisions = this.#decisions;
    const attemptCounter = new Counter({
      name: 'authorization_attempts_total',
      help: 'Requests by the result of their authorization.',
      labelNames: ['result'],
      registers: [],
      collect() {
        this.reset();
        for (const [result, count] of Object.entries(attempts)) this.inc({ result }, count);
      },
    });
    const decisionCounter = new Counter({
      name: 'apiserver_authorization_decisions_total',
      help: 'Final decisions of authorizers, also those in reviews.',
      labelNames: ['type', 'name', 'decision'],
      registers: [],
      collect() {
        this.reset();
        for (const [name, { type, allowed, denied }] of decisions) {
          if (allowed > 0) this.inc({ type, name, decision: 'allowed' }, allowed);
          if (denied > 0) this.inc({ type, name, decision: 'denied' }, denied);
        }
      },
    });
    registry.registerMetric(attemptCounter);
    registry.registerMetric(decisionCounter);
  }
}

/** Tells of every decision, or of the failure. A decision that is made at once costs no promise. */
function observed(
  authorizer: Authorizer,
  tell: (decision: AccessDecision | undefined, error?: unknown) => void,
): Authorizer {
  const told = (decision: AccessDecision): AccessDecision => {
    tell(decision);
    return decision;
  };
  const failed = (error: unknown): never => {
    tell(undefined, error);
    throw error;
  };
  const rules = authorizer.rules?.bind(authorizer);
  return {
    authorize(attributes) {
      let answer: ReturnType<Authorizer['authorize']>;
      try {
        answer = authorizer.authorize(attributes);
      } catch (error) {
        return failed(error);
      }
      return answer instanceof Promise ? answer.then(told, failed) : told(answer);
    },
    ...(rules === undefined ? {} : { rules }),
  };
}
