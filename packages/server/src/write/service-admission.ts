/** Allocates addresses to Services: none that the cache shows or that is reserved by a write in flight. */

import type { Clock } from '@listwatch/storage';
import { parseObject } from '../cache/cached-object.ts';
import type { ResourceCache } from '../cache/resource-cache.ts';
import type { VerbContext } from '../contract/verb.ts';
import { service } from '../kinds/built-in/service.ts';
import { DEFAULT_SERVICE_RANGE, parseServiceRange } from '../kinds/cluster-ip-allocator.ts';
import { serviceAddresses, withServiceNetwork } from '../kinds/service-network.ts';
import { AddressReservations } from './address-reservations.ts';

/** The admission of Services; objects of other kinds pass unchanged. */
export function serviceAdmission(
  cache: ResourceCache,
  clock: Clock,
): { readonly [Name in 'admit' | 'reserve']: NonNullable<VerbContext[Name]> } {
  const range = parseServiceRange(DEFAULT_SERVICE_RANGE);
  const reserved = new AddressReservations(clock, () => cache.revision);
  return {
    admit(definition, object, old) {
      if (definition !== service) return object;
      const stored = [...cache.snapshot().walk()].map(({ bytes }) => serviceAddresses(parseObject(bytes)));
      const taken = [...stored, ...reserved.addresses()];
      const ips = new Set(taken.flatMap((one) => one.ips));
      const nodePorts = new Set(taken.flatMap((one) => one.nodePorts));
      return withServiceNetwork(
        object,
        { range, isIpInUse: (ip) => ips.has(ip), isNodePortInUse: (port) => nodePorts.has(port) },
        old,
      );
    },
    reserve: (definition, object) => (definition === service ? reserved.reserve(serviceAddresses(object)) : undefined),
  };
}
