/** Gives Services addresses that no other Service has, whether it is in the cache or being written. */

import {
  type AdmissionRequest,
  DEFAULT_SERVICE_RANGE,
  type IpFamily,
  type KubeObject,
  parseServiceRange,
  type ServiceAddresses,
  type ServiceRange,
  serviceAddresses,
  withServiceNetwork,
} from '@listwatch/rules/internal';
import type { Clock, Entry, Revision } from '@listwatch/storage';
import { parseObject } from '../../cache/cached-object.ts';
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
  /** The families that Services may have, the primary one first. */
  readonly families: readonly IpFamily[];
  /** Is the address taken by something that is no Service? */
  isForeign(ip: string): boolean;
  /** Creates the IPAddresses of a Service. Never rejects. */
  publish(service: ServicePlace, ips: readonly string[]): Promise<void>;
  /** Deletes the IPAddresses of a Service that was deleted. Never rejects. */
  withdraw(ips: readonly string[]): Promise<void>;
}

/** Where a Service is. */
export interface ServicePlace {
  readonly namespace: string;
  readonly name: string;
}

const DEFAULT_NETWORK: AddressRanges = {
  ranges: [parseServiceRange(DEFAULT_SERVICE_RANGE)],
  families: ['IPv4'],
  isForeign: () => false,
  publish: async () => undefined,
  withdraw: async () => undefined,
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
      const { ranges, families } = networks;
      const reserved = reservations.addresses();
      const isIpInUse = (ip: string): boolean =>
        known.hasIp(ip) || networks.isForeign(ip) || reserved.some(({ ips }) => ips.includes(ip));
      const isNodePortInUse = (port: number): boolean =>
        known.hasNodePort(port) || reserved.some((one) => one.nodePorts.includes(port));
      const addressed = withServiceNetwork(object, { ranges, families, isIpInUse, isNodePortInUse }, old);
      const addresses = serviceAddresses(addressed);
      return {
        object: addressed,
        claims: claims.held(addresses, old && serviceAddresses(old), onTaken),
        release: reservations.reserve(addresses),
        publish: () => published(networks, addressed, old),
      };
    },
    removed: async (service, revision) => {
      await Promise.all([claims.drop(service, revision), networks.withdraw(addressesOf(service).ips)]);
    },
  };
}

/** Only of the addresses that the Service did not have before. */
async function published(networks: AddressRanges, service: KubeObject, old: KubeObject | undefined): Promise<void> {
  const had = old === undefined ? [] : serviceAddresses(old).ips;
  const ips = serviceAddresses(service).ips.filter((ip) => !had.includes(ip));
  const { namespace = '', name = '' } = service.metadata;
  if (ips.length > 0) await networks.publish({ namespace, name }, ips);
}

function addressesOf(service: Entry): ServiceAddresses {
  try {
    return serviceAddresses(parseObject(service.value));
  } catch {
    // A value that cannot be decoded holds no address.
    return { ips: [], nodePorts: [] };
  }
}
