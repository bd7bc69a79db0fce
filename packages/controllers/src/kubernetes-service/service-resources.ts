/** The Service `kubernetes` and what lists its addresses, with the fields that its controller uses. */

import { type ApiObject, type Resource, resource } from '@listwatch/api';

export interface ServicePort {
  readonly name?: string;
  readonly protocol?: string;
  readonly port: number;
  readonly targetPort?: number | string;
}

export interface Service extends ApiObject {
  readonly spec?: { readonly clusterIP?: string; readonly ports?: readonly ServicePort[] };
}

export interface EndpointPort {
  readonly name?: string;
  readonly port?: number;
  readonly protocol?: string;
}

export interface Endpoints extends ApiObject {
  readonly subsets?: readonly {
    readonly addresses?: readonly { readonly ip: string }[];
    readonly notReadyAddresses?: readonly { readonly ip: string }[];
    readonly ports?: readonly EndpointPort[];
  }[];
}

export interface EndpointSlice extends ApiObject {
  readonly addressType: string;
  readonly endpoints: readonly {
    readonly addresses: readonly string[];
    readonly conditions?: { readonly ready?: boolean };
  }[];
  readonly ports: readonly EndpointPort[];
}

export const services: Resource<Service> = resource({
  version: 'v1',
  plural: 'services',
  kind: 'Service',
  namespaced: true,
});

export const endpoints: Resource<Endpoints> = resource({
  version: 'v1',
  plural: 'endpoints',
  kind: 'Endpoints',
  namespaced: true,
});

export const endpointSlices: Resource<EndpointSlice> = resource({
  group: 'discovery.k8s.io',
  version: 'v1',
  plural: 'endpointslices',
  kind: 'EndpointSlice',
  namespaced: true,
});
