/** The roles and bindings that a server decides by, from its own caches. */

import type { TypeName } from '@listwatch/schema';
import type { StorageEngine } from '@listwatch/storage';
import type { BoundRole } from '../access/rbac/bound-role.ts';
import { judgeGrant } from '../access/rbac/held-rights.ts';
import { type RbacAuthorizer, rbacAuthorizer } from '../access/rbac/rbac-authorizer.ts';
import { RbacIndex } from '../access/rbac/rbac-index.ts';
import { CacheFollower, type FollowedObjects } from '../cache/cache-follower.ts';
import type { ResourceCache } from '../cache/resource-cache.ts';
import type { StorageFeed } from '../cache/storage-feed.ts';
import type { RoleGranting } from '../contract/role-granting.ts';

/** Counts from the moment that the feed of this server has a change. */
export class RbacPolicy {
  readonly #index: RbacIndex;
  readonly #followers: readonly CacheFollower[];
  readonly authorizer: RbacAuthorizer;

  /** `onLess` hears of bindings that may give less than before, or nothing. */
  constructor(cacheOf: (type: TypeName) => ResourceCache, onLess?: (bindings: Iterable<BoundRole>) => void) {
    this.#index = new RbacIndex(onLess);
    const index = this.#index;
    const roles: FollowedObjects = {
      set: (object) => index.setRole(object),
      remove: (namespace, name) => index.removeRole(namespace, name),
    };
    const bindings: FollowedObjects = {
      set: (object) => index.setBinding(object),
      remove: (namespace, name) => index.removeBinding(namespace, name),
    };
    this.#followers = [
      new CacheFollower(cacheOf('rbac/v1.ClusterRole'), roles),
      new CacheFollower(cacheOf('rbac/v1.Role'), roles),
      new CacheFollower(cacheOf('rbac/v1.ClusterRoleBinding'), bindings),
      new CacheFollower(cacheOf('rbac/v1.RoleBinding'), bindings),
    ];
    const decide = rbacAuthorizer(index);
    this.authorizer = {
      authorize: (attributes) => {
        this.#catchUp();
        return decide.authorize(attributes);
      },
      rules: (user, namespace) => {
        this.#catchUp();
        return decide.rules(user, namespace);
      },
    };
  }

  /** For writers of roles. They are compared with what is stored, which may be ahead of the feed. */
  granting(engine: Pick<StorageEngine, 'revision'>, feed: Pick<StorageFeed, 'reached'>): RoleGranting {
    return async (user, namespace, wanted) => {
      await feed.reached(await engine.revision());
      this.#catchUp();
      return judgeGrant(this.#index, user, namespace, wanted);
    };
  }

  #catchUp(): void {
    for (const follower of this.#followers) follower.catchUp();
  }
}
