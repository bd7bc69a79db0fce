/** Gives Services their addresses: what no other Service has, in the cache or on its way there. */

import type { Clock } from '@listwatch/storage';
import { parseObject } from '../cache/cached-object.ts';
import type { ResourceCache } from '../cache/resource-cache.ts';
import { DEFAULT_SERVICE_RANGE, parseServiceRange } from '../resources/cluster-ip-allocator.ts';
import { service } from '../resources/kinds/service.ts';
import { serviceAddresses, withServiceNetwork } from '../resources/service-network.ts';
import { HeldAddresses } from './held-addresses.ts';
import type { VerbContext } from './verb.ts';

/** The admission of Services; other kinds stay as they are. */
export function serviceAdmission(
  cache: ResourceCache,
  clock: Clock,
): { readonly [Name in 'admit' | 'hold']: NonNullable<VerbContext[Name]> } {
  const range = parseServiceRange(DEFAULT_SERVICE_RANGE);
  const held = new HeldAddresses(clock, () => cache.revision);
  return {
    admit(definition, object, old) {
      if (definition !== service) return object;
      const stored = [...cache.snapshot().walk()].map(({ bytes }) => serviceAddresses(parseObject(bytes)));
      const taken = [...stored, ...held.addresses()];
      const ips = new Set(taken.flatMap((one) => one.ips));
      const nodePorts = new Set(taken.flatMap((one) => one.nodePorts));
      return withServiceNetwork(
        object,
        { range, isIpInUse: (ip) => ips.has(ip), isNodePortInUse: (port) => nodePorts.has(port) },
        old,
      );
    },
    hold: (definition, object) => (definition === service ? held.hold(serviceAddresses(object)) : undefined),
  };
}
