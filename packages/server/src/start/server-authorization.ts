/** The authorizer of a server, put together from its options. */

import type { TypeName } from '@listwatch/schema';
import { AuthorizationCounts } from '../access/authorization-counts.ts';
import { type AuthorizationModes, modeAuthorizer, sourceOf } from '../access/authorization-mode.ts';
import { ReloadCounts } from '../access/reload-counts.ts';
import { WebhookCounts } from '../access/webhook/webhook-counts.ts';
import type { ResourceCache } from '../cache/resource-cache.ts';
import type { Authorizer } from '../contract/authorization.ts';
import { Gauge, type Registry } from '../contract/metrics.ts';
import { NodePolicy } from './node-policy.ts';

/** What it needs of the server. */
export interface ServerAuthorizationParts {
  /** The authorizer that the program brings, if any: it is the only one then. */
  readonly given: Authorizer | undefined;
  readonly rbac: Authorizer;
  readonly cacheOf: (type: TypeName) => ResourceCache;
}

/** Decides about requests, and counts. */
export class ServerAuthorization {
  readonly authorizer: Authorizer;
  /** The same for requests, which are counted. */
  readonly counted: Authorizer;
  readonly #counts = new AuthorizationCounts();
  readonly #modes: AuthorizationModes;
  #nodes: NodePolicy | undefined;

  /** Throws what `modeAuthorizer` throws. */
  constructor(modes: AuthorizationModes, { given, rbac, cacheOf }: ServerAuthorizationParts) {
    const node = (): Authorizer => {
      this.#nodes ??= new NodePolicy(cacheOf);
      return this.#nodes.authorizer;
    };
    this.#modes = modes;
    this.authorizer = given ?? modeAuthorizer(modes, { rbac, node }, this.#counts);
    this.counted = this.#counts.attempted(this.authorizer);
  }

  /** To be called when the caches are filled. */
  catchUp(): void {
    this.#nodes?.catchUp();
  }

  register(registry: Registry): void {
    this.#counts.register(registry);
    const { webhookCounts = new WebhookCounts(), reloadCounts } = sourceOf(this.#modes);
    webhookCounts.register(registry);
    ReloadCounts.register(registry, 'authorization', reloadCounts);
    const size = (): NodePolicy['size'] => this.#nodes?.size ?? { pods: 0, objects: 0, volumes: 0 };
    registry.registerMetric(
      new Gauge({
        name: 'listwatch_node_graph_objects',
        help: 'What the Node authorizer knows: Pods that are bound, objects that they name, volumes with a claim.',
        labelNames: ['type'],
        registers: [],
        collect() {
          for (const [type, count] of Object.entries(size())) this.set({ type }, count);
        },
      }),
    );
  }
}
