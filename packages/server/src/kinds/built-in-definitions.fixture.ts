/** The definitions of kinds that tests use, with the schemas of all kinds loaded. */

import { BUILT_IN_SCHEMAS } from '@listwatch/kinds/schemas';
import { BUILT_IN_KINDS, builtInKind } from '@listwatch/rules/internal';
import type { ResourceDefinition } from './resource-definition.ts';

await BUILT_IN_SCHEMAS.loadAll(BUILT_IN_KINDS.map(({ data }) => data.type));

export { BUILT_IN_KINDS, builtInKind };

export const configMap: ResourceDefinition = builtInKind('core/v1.ConfigMap');
export const deployment: ResourceDefinition = builtInKind('apps/v1.Deployment');
export const event: ResourceDefinition = builtInKind('core/v1.Event');
export const eventsEvent: ResourceDefinition = builtInKind('events/v1.Event');
export const endpoints: ResourceDefinition = builtInKind('core/v1.Endpoints');
export const endpointSlice: ResourceDefinition = builtInKind('discovery/v1.EndpointSlice');
export const lease: ResourceDefinition = builtInKind('coordination/v1.Lease');
export const namespace: ResourceDefinition = builtInKind('core/v1.Namespace');
export const node: ResourceDefinition = builtInKind('core/v1.Node');
export const pod: ResourceDefinition = builtInKind('core/v1.Pod');
export const podTemplate: ResourceDefinition = builtInKind('core/v1.PodTemplate');
export const secret: ResourceDefinition = builtInKind('core/v1.Secret');
export const service: ResourceDefinition = builtInKind('core/v1.Service');
export const serviceAccount: ResourceDefinition = builtInKind('core/v1.ServiceAccount');
