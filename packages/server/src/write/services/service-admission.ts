/** Gives Services addresses that no other Service has, whether it is in the cache or being written. */

import {
  builtInKind,
  DEFAULT_SERVICE_RANGE,
  parseServiceRange,
  type ServiceAddresses,
  serviceAddresses,
  withServiceNetwork,
} from '@listwatch/rules/internal';
import type { Clock } from '@listwatch/storage';
import type { ResourceCache } from '../../cache/resource-cache.ts';
import type { VerbContext } from '../../contract/verb.ts';
import { AddressReservations } from './address-reservations.ts';
import { ServiceAddressIndex } from './service-address-index.ts';

/** The admission of Services; objects of other kinds pass unchanged. */
export function serviceAdmission(
  cache: ResourceCache,
  clock: Clock,
): { readonly [Name in 'admit' | 'reserve']: NonNullable<VerbContext[Name]> } & {
  /** Another server has given these away: they are in use here, too, until the cache shows it. */
  readonly claimed: (addresses: ServiceAddresses) => void;
} {
  const services = builtInKind('core/v1.Service');
  const range = parseServiceRange(DEFAULT_SERVICE_RANGE);
  const reservations = new AddressReservations(clock, () => cache.generation?.revision ?? 0n);
  let index: ServiceAddressIndex | undefined;
  return {
    admit(definition, object, old) {
      if (definition !== services) return object;
      // Without the cache the addresses in use are unknown: the 429 asks the client to come back.
      const generation = cache.requireReady();
      if (index?.generation !== generation) index = new ServiceAddressIndex(generation);
      const known = index;
      const reserved = reservations.addresses();
      return withServiceNetwork(
        object,
        {
          range,
          isIpInUse: (ip) => known.hasIp(ip) || reserved.some(({ ips }) => ips.includes(ip)),
          isNodePortInUse: (port) => known.hasNodePort(port) || reserved.some((one) => one.nodePorts.includes(port)),
        },
        old,
      );
    },
    reserve: (definition, object) =>
      definition === services ? reservations.reserve(serviceAddresses(object)) : undefined,
    claimed: (addresses) => reservations.reserve(addresses)({ type: 'unknown' }),
  };
}
