/** The relations between nodes and objects that a server decides by, from its own caches. */

import { recordOf, textOf } from '@listwatch/api/values';
import { defaultAccess, type KubeObject } from '@listwatch/rules/internal';
import type { TypeName } from '@listwatch/schema';
import { nodeAuthorizer } from '../access/node/node-authorizer.ts';
import { NodeGraph, type NodeGraphSize, type PlacedKind } from '../access/node/node-graph.ts';
import { policyRules } from '../access/rbac/policy-rule.ts';
import { CacheFollower, type FollowedObjects } from '../cache/cache-follower.ts';
import type { ResourceCache } from '../cache/resource-cache.ts';
import type { Authorizer } from '../contract/authorization.ts';

const NODE_ROLE = 'system:node';

/** Counts from the moment that the feed of this server has a change. */
export class NodePolicy {
  readonly authorizer: Authorizer;
  readonly #graph = new NodeGraph();
  readonly #followers: readonly CacheFollower[];

  constructor(cacheOf: (type: TypeName) => ResourceCache) {
    const graph = this.#graph;
    this.#followers = [
      new CacheFollower(cacheOf('core/v1.Pod'), {
        set: (pod) => graph.setPod(pod),
        remove: (namespace, name) => graph.removePod(namespace, name),
      }),
      new CacheFollower(cacheOf('core/v1.PersistentVolume'), {
        set: (volume) => graph.setVolume(volume),
        remove: (_namespace, name) => graph.removeVolume(name),
      }),
      new CacheFollower(cacheOf('storage/v1.VolumeAttachment'), placed(graph, 'volumeattachment')),
      new CacheFollower(cacheOf('resource/v1.ResourceSlice'), placed(graph, 'resourceslice')),
    ];
    const related: NodeGraph['isRelated'] = (...asked) => {
      this.catchUp();
      return graph.isRelated(...asked);
    };
    this.authorizer = nodeAuthorizer({ isRelated: related }, nodeRules());
  }

  get size(): NodeGraphSize {
    return this.#graph.size;
  }

  /** Also to be called at the start: the first question would wait until all Pods are read. */
  catchUp(): void {
    for (const follower of this.#followers) follower.catchUp();
  }
}

function placed(graph: NodeGraph, kind: PlacedKind): FollowedObjects {
  return {
    set: (object: KubeObject) => {
      const { name = '' } = object.metadata;
      graph.place(kind, name, textOf(recordOf(object['spec'])['nodeName']));
    },
    remove: (_namespace, name) => graph.place(kind, name, ''),
  };
}

/** The rules of the default role, even if an administrator has changed it, as in Kubernetes. */
function nodeRules(): ReturnType<typeof policyRules> {
  const role = defaultAccess().find(
    ({ object }) => object.kind === 'ClusterRole' && object.metadata.name === NODE_ROLE,
  );
  if (role === undefined) throw new TypeError(`there is no default role ${NODE_ROLE}`);
  return policyRules(role.object['rules']);
}
