/** Decides whom a user may act as: by which mode, in which order, with what memory. */

import { isForbidden } from '@listwatch/api';
import type { UserInfo } from '../contract/api-request.ts';
import type { AccessAttributes, Authorizer } from '../contract/authorization.ts';
import { Counter, type Registry } from '../contract/metrics.ts';
import { IMPERSONATION_MODES, type ImpersonationMode, impersonateBy } from './impersonation.ts';
import type { WantedUser } from './impersonation-headers.ts';
import { type FailureListener, requireRight } from './second-rights.ts';

/** As kube-apiserver: the users whose last mode is remembered. */
const REMEMBERED_MAX = 10_000;

interface ModeCounts {
  succeeded: number;
  readonly rights: { allowed: number; denied: number };
}

/**
 * The modes are tried in their order, the last one that a user succeeded with first. The first that allows decides; when
 * none does, the first refusal is the answer. As in kube-apiserver the memory has no end but its size.
 */
export class Impersonator {
  readonly #authorizer: Authorizer;
  readonly #onFailure: FailureListener;
  readonly #remembered = new Map<string, ImpersonationMode>();
  readonly #counts = new Map<string, ModeCounts>();
  #refused = 0;

  /** `onFailure` hears of authorizers that fail: the answer is 403, as kube-apiserver's. */
  constructor(authorizer: Authorizer, onFailure: FailureListener = () => {}) {
    this.#authorizer = authorizer;
    this.#onFailure = onFailure;
  }

  /**
   * The user that `request.user` may act as. Throws the 403 `StatusError`. `onMode` hears by which mode it was allowed:
   * `impersonate:user-info`, `''` for the plain one.
   */
  async impersonate(
    request: AccessAttributes,
    wanted: WantedUser,
    onMode: (constraint: string) => void = () => {},
  ): Promise<UserInfo> {
    let refusal: unknown;
    for (const mode of this.#modesFor(wanted, request.user)) {
      const counts = this.#countsOf(mode);
      try {
        const user = await impersonateBy(mode, (right) => this.#require(right, counts), request, wanted);
        counts.succeeded += 1;
        this.#remember(request.user.name, mode);
        onMode(mode.name === undefined ? '' : `impersonate:${mode.name}`);
        return user;
      } catch (error) {
        if (!isForbidden(error)) throw error;
        refusal ??= error;
      }
    }
    this.#refused += 1;
    throw refusal;
  }

  /** Shows the counts in `/metrics`. */
  register(registry: Registry): void {
    const all = this.#counts;
    registry.registerMetric(
      counterOf('apiserver_impersonation_attempts_total', 'Attempts to impersonate, by mode.', () => [
        // As kube-apiserver: who was refused was so by all modes.
        ['', 'denied', this.#refused],
        ...[...all].map(([mode, { succeeded }]) => [mode, 'allowed', succeeded] as const),
      ]),
    );
    registry.registerMetric(
      counterOf('apiserver_impersonation_authorization_attempts_total', 'Rights that impersonation asked for.', () =>
        [...all].flatMap(([mode, { rights }]) => [
          [mode, 'allowed', rights.allowed] as const,
          [mode, 'denied', rights.denied] as const,
        ]),
      ),
    );
  }

  #modesFor(wanted: WantedUser, requestor: UserInfo): readonly ImpersonationMode[] {
    const last = this.#remembered.get(requestor.name);
    const order =
      last === undefined ? IMPERSONATION_MODES : [last, ...IMPERSONATION_MODES.filter((mode) => mode !== last)];
    return order.filter((mode) => mode.applies(wanted, requestor));
  }

  async #require(right: AccessAttributes, { rights }: ModeCounts): Promise<void> {
    try {
      await requireRight(this.#authorizer, right, this.#onFailure);
      rights.allowed += 1;
    } catch (error) {
      rights.denied += 1;
      throw error;
    }
  }

  #remember(name: string, mode: ImpersonationMode): void {
    this.#remembered.delete(name);
    this.#remembered.set(name, mode);
    const [oldest] = this.#remembered.keys();
    if (this.#remembered.size > REMEMBERED_MAX && oldest !== undefined) this.#remembered.delete(oldest);
  }

  #countsOf({ name = 'legacy' }: ImpersonationMode): ModeCounts {
    const known = this.#counts.get(name);
    if (known !== undefined) return known;
    const counts = { succeeded: 0, rights: { allowed: 0, denied: 0 } };
    this.#counts.set(name, counts);
    return counts;
  }
}

function counterOf(
  name: string,
  help: string,
  read: () => readonly (readonly [mode: string, decision: 'allowed' | 'denied', count: number])[],
): Counter<'decision' | 'mode'> {
  return new Counter({
    name,
    help,
    labelNames: ['mode', 'decision'],
    registers: [],
    collect() {
      this.reset();
      for (const [mode, decision, count] of read()) if (count > 0) this.inc({ mode, decision }, count);
    },
  });
}
