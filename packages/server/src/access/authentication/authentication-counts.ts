/** Counts how requests were authenticated. */

import { Counter, type Registry } from '../../contract/metrics.ts';

/** Names that kube-apiserver counts by themselves. Others could be as many as a provider has users. */
const COUNTED_NAMES: ReadonlySet<string> = new Set([
  'admin',
  'client',
  'kube_proxy',
  'kubelet',
  'system:serviceaccount:kube-system:default',
]);

/** Numbers since the start. */
export class AuthenticationCounts {
  /** `failure`: no credential, and anonymous requests are not allowed. `error`: a wrong credential. */
  readonly attempts: { success: number; failure: number; error: number } = { success: 0, failure: 0, error: 0 };
  readonly #users = new Map<string, number>();

  /** Counts a request of this user. */
  success(name: string): void {
    this.attempts.success += 1;
    const label = COUNTED_NAMES.has(name) ? name : name.includes('@') ? 'email_id' : 'other';
    this.#users.set(label, (this.#users.get(label) ?? 0) + 1);
  }

  /** Shows the counts in `/metrics`. */
  register(registry: Registry): void {
    const { attempts } = this;
    const users = this.#users;
    const attemptCounter = new Counter({
      name: 'authentication_attempts',
      help: 'Requests by the result of their authentication.',
      labelNames: ['result'],
      registers: [],
      collect() {
        this.reset();
        for (const [result, count] of Object.entries(attempts)) this.inc({ result }, count);
      },
    });
    const userCounter = new Counter({
      name: 'authenticated_user_requests',
      help: 'Authenticated requests by user, for a few known users.',
      labelNames: ['username'],
      registers: [],
      collect() {
        this.reset();
        for (const [username, count] of users) this.inc({ username }, count);
      },
    });
    registry.registerMetric(attemptCounter);
    registry.registerMetric(userCounter);
  }
}
