/** The authorizers of a server: those that are built in, and others beside them. */

import { quote } from '@listwatch/api';
import type { Authorizer } from '../contract/authorization.ts';
import type { AuthorizationCounts } from './authorization-counts.ts';
import { ALWAYS_ALLOW, ALWAYS_DENY, type AuthorizerChain, authorizerChain } from './authorizer-chain.ts';
import type { ReloadCounts } from './reload-counts.ts';
import type { WebhookCounts } from './webhook/webhook-counts.ts';

/** By the names of kube-apiserver's `--authorization-mode`. */
const AUTHORIZATION_MODES = ['AlwaysAllow', 'AlwaysDeny', 'Node', 'RBAC'] as const;

/** A built-in authorizer. */
export type AuthorizationMode = (typeof AUTHORIZATION_MODES)[number];

/** Another one: a webhook, or a program's own. */
export interface NamedAuthorizer {
  /** For metrics, such as `Webhook`. */
  readonly type: string;
  /** For metrics; no other may have it. The built-in ones have their modes' in lower case. */
  readonly name: string;
  readonly authorizer: Authorizer;
}

/** One of several that are asked in their order. */
export type AuthorizationStep = AuthorizationMode | NamedAuthorizer;

/** Authorizers that can change while the server serves, such as those of a configuration file. */
export interface AuthorizationSource {
  /** A change is another list. */
  readonly steps: readonly AuthorizationStep[];
  /** `listener` is called after each change, until the function that it returns is. Absent: open watches do not hear of changes. */
  listen?(listener: () => void): () => void;
  /** For metrics. Default: there are no webhooks. */
  readonly webhookCounts?: WebhookCounts | undefined;
  /** For metrics. Default: it does not change. */
  readonly reloadCounts?: ReloadCounts | undefined;
}

/** One mode, several authorizers that are asked in their order, or a source of them. */
export type AuthorizationModes = AuthorizationMode | AuthorizationSource | readonly AuthorizationStep[];

/** What the modes stand for. */
export interface BuiltInAuthorizers {
  readonly rbac: Authorizer;
  /** Made when it is named: it follows all Pods. */
  readonly node: () => Authorizer;
}

/** The authorizer of some modes. Throws a `RangeError` for one that does not exist, a `TypeError` for none or the same twice. */
export function modeAuthorizer(
  modes: AuthorizationModes,
  builtIn: BuiltInAuthorizers,
  counts: Pick<AuthorizationCounts, 'decided' | 'keep'>,
): Authorizer {
  const source = sourceOf(modes);
  let { steps } = source;
  let chain = chainOf(steps, builtIn, counts);
  const current = (): AuthorizerChain => {
    if (source.steps !== steps) {
      chain = chainOf(source.steps, builtIn, counts);
      ({ steps } = source);
    }
    return chain;
  };
  return {
    authorize: (attributes) => current().authorize(attributes),
    rules: async (user, namespace) => current().rules(user, namespace),
  };
}

/** The source of any of them. */
export function sourceOf(modes: AuthorizationModes): AuthorizationSource {
  if (typeof modes === 'string') return { steps: [modes] };
  return 'steps' in modes ? modes : { steps: modes };
}

function chainOf(
  steps: readonly AuthorizationStep[],
  builtIn: BuiltInAuthorizers,
  counts: Pick<AuthorizationCounts, 'decided' | 'keep'>,
): AuthorizerChain {
  if (steps.length === 0) throw new TypeError('authorization: name at least one mode, such as RBAC');
  const named = steps.map((step) => (typeof step === 'string' ? builtInStep(step, builtIn) : step));
  const names = named.map(({ name }) => name);
  if (new Set(names).size < names.length) {
    const all = steps.map((step) => (typeof step === 'string' ? step : step.name));
    throw new TypeError(`authorization: a mode is named twice in ${all.join(', ')}`);
  }
  counts.keep(new Set(names));
  return authorizerChain(named.map(({ type, name, authorizer }) => counts.decided(type, name, authorizer)));
}

function builtInStep(mode: AuthorizationMode, { rbac, node }: BuiltInAuthorizers): NamedAuthorizer {
  const named = (authorizer: Authorizer): NamedAuthorizer => ({ type: mode, name: mode.toLowerCase(), authorizer });
  switch (mode) {
    case 'AlwaysAllow':
      return named(ALWAYS_ALLOW);
    case 'AlwaysDeny':
      return named(ALWAYS_DENY);
    case 'Node':
      return named(node());
    case 'RBAC':
      return named(rbac);
    default:
      throw new RangeError(
        `authorization: there is no mode ${quote(mode)}; there are ${AUTHORIZATION_MODES.join(', ')}`,
      );
  }
}
