/** Gives Services addresses that no other Service has, whether it is in the cache or being written. */

import {
  type AdmissionRequest,
  DEFAULT_SERVICE_RANGE,
  parseServiceRange,
  type ServiceAddresses,
  type ServiceRange,
  serviceAddresses,
  withServiceNetwork,
} from '@listwatch/rules/internal';
import type { Clock, Entry, Revision } from '@listwatch/storage';
import type { ResourceCache } from '../../cache/resource-cache.ts';
import type { Allocation } from '../../contract/admission.ts';
import { AddressReservations } from './address-reservations.ts';
import { ServiceAddressIndex } from './service-address-index.ts';
import type { ServiceClaims } from './service-claims.ts';

/** The addresses of Services; objects of other kinds need none. */
export interface ServiceAddressing {
  /** Chooses the addresses of a Service and reserves them. */
  readonly allocate: (request: AdmissionRequest) => Allocation | undefined;
  /** A Service was deleted: its addresses are free for all servers. */
  readonly removed: (service: Entry, revision: Revision) => Promise<void>;
}

/** The ranges of addresses and node ports. */
export interface AddressRanges {
  readonly ranges: readonly ServiceRange[];
  /** Is the address taken by something that is no Service? */
  isForeign(ip: string): boolean;
}

const DEFAULT_NETWORK: AddressRanges = {
  ranges: [parseServiceRange(DEFAULT_SERVICE_RANGE)],
  isForeign: () => false,
};

/** The addresses that one server gives out. */
export function serviceAdmission(
  cache: ResourceCache,
  clock: Clock,
  claims: Pick<ServiceClaims, 'drop' | 'held'>,
  networks: AddressRanges = DEFAULT_NETWORK,
): ServiceAddressing {
  const reservations = new AddressReservations(clock, () => cache.generation?.revision ?? 0n);
  /** Another server has allocated these addresses: reserve them here until the cache shows them. */
  const onTaken = (addresses: ServiceAddresses): void => reservations.reserve(addresses)({ type: 'unknown' });
  let index: ServiceAddressIndex | undefined;
  return {
    allocate({ type, subresource, object, old }) {
      if (type !== 'core/v1.Service' || subresource !== '') return undefined;
      // Without the cache the addresses in use are unknown: the 429 asks the client to come back.
      const generation = cache.requireReady();
      if (index?.generation !== generation) index = new ServiceAddressIndex(generation);
      const known = index;
      const reserved = reservations.addresses();
      const isIpInUse = (ip: string): boolean =>
        known.hasIp(ip) || networks.isForeign(ip) || reserved.some(({ ips }) => ips.includes(ip));
      const isNodePortInUse = (port: number): boolean =>
        known.hasNodePort(port) || reserved.some((one) => one.nodePorts.includes(port));
      const addressed = withServiceNetwork(object, { ranges: networks.ranges, isIpInUse, isNodePortInUse }, old);
      const addresses = serviceAddresses(addressed);
      return {
        object: addressed,
        claims: claims.held(addresses, old && serviceAddresses(old), onTaken),
        release: reservations.reserve(addresses),
      };
    },
    removed: (service, revision) => claims.drop(service, revision),
  };
}
