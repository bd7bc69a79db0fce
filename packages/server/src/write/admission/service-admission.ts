/** Gives Services addresses that no other Service has, whether it is in the cache or being written. */

import {
  type AdmissionRequest,
  DEFAULT_SERVICE_RANGE,
  parseServiceRange,
  type ServiceAddresses,
  serviceAddresses,
  withServiceNetwork,
} from '@listwatch/rules/internal';
import type { Clock } from '@listwatch/storage';
import type { ResourceCache } from '../../cache/resource-cache.ts';
import type { Allocation } from '../../contract/admission.ts';
import { AddressReservations } from './address-reservations.ts';
import { ServiceAddressIndex } from './service-address-index.ts';

/** The addresses of Services; objects of other kinds need none. */
export interface ServiceAddressing {
  /** Chooses the addresses of a Service and reserves them. */
  readonly allocate: (request: AdmissionRequest) => Allocation | undefined;
  /** Another server has given these away: they are in use here, too, until the cache shows it. */
  readonly claimed: (addresses: ServiceAddresses) => void;
}

/** The addresses that one server gives out. */
export function serviceAdmission(cache: ResourceCache, clock: Clock): ServiceAddressing {
  const range = parseServiceRange(DEFAULT_SERVICE_RANGE);
  const reservations = new AddressReservations(clock, () => cache.generation?.revision ?? 0n);
  let index: ServiceAddressIndex | undefined;
  return {
    allocate({ type, subresource, object, old }) {
      if (type !== 'core/v1.Service' || subresource !== '') return undefined;
      // Without the cache the addresses in use are unknown: the 429 asks the client to come back.
      const generation = cache.requireReady();
      if (index?.generation !== generation) index = new ServiceAddressIndex(generation);
      const known = index;
      const reserved = reservations.addresses();
      const isIpInUse = (ip: string): boolean => known.hasIp(ip) || reserved.some(({ ips }) => ips.includes(ip));
      const isNodePortInUse = (port: number): boolean =>
        known.hasNodePort(port) || reserved.some((one) => one.nodePorts.includes(port));
      const addressed = withServiceNetwork(object, { range, isIpInUse, isNodePortInUse }, old);
      return { object: addressed, release: reservations.reserve(serviceAddresses(addressed)) };
    },
    claimed: (addresses) => reservations.reserve(addresses)({ type: 'unknown' }),
  };
}
