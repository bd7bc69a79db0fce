/** `endWatchesOnRevocation`: tells open requests what their users have lost. */

import type { TypeName } from '@listwatch/schema';
import type { Clock } from '@listwatch/storage';
import type { JwtChanges } from '../access/authentication/create-authentication.ts';
import type { AuthorizationSource } from '../access/authorization-mode.ts';
import type { BoundRole } from '../access/rbac/bound-role.ts';
import { type HeldRequests, type OpenRequest, OpenRequests } from '../access/revocation/open-requests.ts';
import { bindingKeys, issuerKey, subjectKeys } from '../access/revocation/request-keys.ts';
import type { RevocationState } from '../access/revocation/revocation-metrics.ts';
import type { CacheGeneration } from '../cache/cache-generation.ts';
import type { ResourceCache } from '../cache/resource-cache.ts';
import type { ClaimedResource } from '../contract/service-account-token.ts';

/** The kinds that credentials depend on. Only of Secrets a change counts as well: others make a credential wrong by being gone. */
const KINDS: readonly (readonly [TypeName, ClaimedResource])[] = [
  ['core/v1.Node', 'nodes'],
  ['core/v1.Pod', 'pods'],
  ['core/v1.Secret', 'secrets'],
  ['core/v1.ServiceAccount', 'serviceaccounts'],
];

/** The open requests of one server. It listens to the caches. */
export class Revocations implements HeldRequests {
  readonly #open: OpenRequests;
  readonly #caches: readonly FollowedCache[];
  readonly #endings: (() => void)[] = [];

  constructor(cacheOf: (type: TypeName) => ResourceCache, clock: Clock) {
    const open = new OpenRequests(clock);
    this.#open = open;
    this.#caches = KINDS.map(([type, plural]) => new FollowedCache(cacheOf(type), plural, open));
  }

  /** It is read before each decision: nothing that is lost after that is missed. */
  get losses(): number {
    for (const cache of this.#caches) cache.follow();
    return this.#open.losses;
  }

  hold(request: OpenRequest, since: number): () => void {
    return this.#open.hold(request, since);
  }

  /** Bindings give less than before. */
  readonly onLess = (bindings: Iterable<BoundRole>): void => {
    for (const binding of bindings) this.#open.lost('rights', bindingKeys(binding));
  };

  /** Follows configurations that can change while the server serves. */
  follow(providers: JwtChanges | undefined, authorizers: Pick<AuthorizationSource, 'listen'>): void {
    const issuersChanged = (issuers: readonly string[]): void => this.#open.lost('credential', issuers.map(issuerKey));
    const unfollow = [
      providers?.listen?.(issuersChanged),
      // An authorizer can have denied before, or allowed: nobody knows whom it concerns.
      authorizers.listen?.(() => this.#open.lostAny('rights')),
    ];
    this.#endings.push(...unfollow.filter((end) => end !== undefined));
  }

  get state(): RevocationState {
    const { counts, waiting } = this.#open;
    return { ...counts, waiting };
  }

  close(): void {
    for (const end of this.#endings.splice(0)) end();
    this.#open.close();
  }
}

/** Follows the generations of a cache. */
class FollowedCache {
  readonly #cache: ResourceCache;
  readonly #plural: ClaimedResource;
  readonly #open: OpenRequests;
  #generation: CacheGeneration | undefined;

  constructor(cache: ResourceCache, plural: ClaimedResource, open: OpenRequests) {
    this.#cache = cache;
    this.#plural = plural;
    this.#open = open;
  }

  follow(): void {
    const { generation } = this.#cache;
    if (generation === undefined || generation === this.#generation) return;
    // Watches end with their generation; streams do not, and what changed in between was not seen.
    if (this.#generation !== undefined) this.#open.lostAny('credential');
    this.#generation = generation;
    const isSecret = this.#plural === 'secrets';
    generation.listen({
      changed: ({ key, object, previous }) => {
        if (object !== undefined && !isSecret) return;
        this.#open.lost('credential', [`${this.#plural} ${key}`]);
        // What a node may read, it may because of its Pods.
        const node = this.#plural === 'pods' ? (previous?.fields['spec.nodeName'] ?? '') : '';
        if (node !== '') this.#open.lost('rights', subjectKeys({ name: `system:node:${node}`, groups: [] }));
      },
      settled: () => {},
      ended: () => {},
    });
  }
}
