/** The rules of the built-in kinds, by the type of their objects. A kind that is not here has the defaults of `KindRules`. */

import type { TypeName } from '@listwatch/schema';
import type { KindRules } from '../kind-rules.ts';
import { configMap } from './config-map.ts';
import { deployment } from './deployment.ts';
import { event } from './event.ts';
import { eventsEvent } from './events-event.ts';
import { lease } from './lease.ts';
import { namespace } from './namespace.ts';
import { node } from './node.ts';
import { pod } from './pod.ts';
import { podTemplate } from './pod-template.ts';
import { secret } from './secret.ts';
import { service } from './service.ts';
import { serviceAccount } from './service-account.ts';

/** One line for each kind with rules. */
export const KIND_RULES: Readonly<Record<TypeName, KindRules>> = {
  'apps/v1.Deployment': deployment,
  'coordination/v1.Lease': lease,
  'core/v1.ConfigMap': configMap,
  'core/v1.Event': event,
  'core/v1.Namespace': namespace,
  'core/v1.Node': node,
  'core/v1.Pod': pod,
  'core/v1.PodTemplate': podTemplate,
  'core/v1.Secret': secret,
  'core/v1.Service': service,
  'core/v1.ServiceAccount': serviceAccount,
  'events/v1.Event': eventsEvent,
};
