/** The definitions of kinds that tests use, with the schemas of all kinds loaded. */

import { BUILT_IN_SCHEMAS } from '@listwatch/kinds/schemas';
import { BUILT_IN_KINDS, builtInKind } from './built-in-kinds.ts';
import type { KindDefinition } from './kind-definition.ts';

await BUILT_IN_SCHEMAS.loadAll(BUILT_IN_KINDS.map(({ data }) => data.type));

export { BUILT_IN_KINDS, builtInKind };

export const configMap: KindDefinition = builtInKind('core/v1.ConfigMap');
export const customResourceDefinition: KindDefinition = builtInKind('apiextensions/v1.CustomResourceDefinition');
export const deployment: KindDefinition = builtInKind('apps/v1.Deployment');
export const event: KindDefinition = builtInKind('core/v1.Event');
export const eventsEvent: KindDefinition = builtInKind('events/v1.Event');
export const endpoints: KindDefinition = builtInKind('core/v1.Endpoints');
export const endpointSlice: KindDefinition = builtInKind('discovery/v1.EndpointSlice');
export const lease: KindDefinition = builtInKind('coordination/v1.Lease');
export const namespace: KindDefinition = builtInKind('core/v1.Namespace');
export const node: KindDefinition = builtInKind('core/v1.Node');
export const pod: KindDefinition = builtInKind('core/v1.Pod');
export const podTemplate: KindDefinition = builtInKind('core/v1.PodTemplate');
export const secret: KindDefinition = builtInKind('core/v1.Secret');
export const service: KindDefinition = builtInKind('core/v1.Service');
export const serviceAccount: KindDefinition = builtInKind('core/v1.ServiceAccount');
