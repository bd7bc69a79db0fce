/** The website operator: gives each Website a Deployment, a Service and a DNS record, and reports in its status. */

import type { AppliedObject } from '@listwatch/client';
import { type Deployment, deployments, type Service, services } from '@listwatch/kinds';
import { type ControllerOptions, setCondition, withFinalizer } from '@listwatch/runtime';
import { type Website, website } from './website.ts';

export const FINALIZER = 'example.com/dns';

/** Something outside the cluster that must be cleaned up. Both may be called again. */
export interface Dns {
  set(host: string, address: string): Promise<void> | void;
  remove(host: string): Promise<void> | void;
}

/** The controller, as options: a program runs them, and so does a test. */
export function websiteOperator(dns: Dns): ControllerOptions<Website> {
  return {
    name: 'website-operator',
    for: website.resource,
    owns: [deployments, services],
    reconcile: withFinalizer(FINALIZER, {
      apply: async ({ object, key }, ctx) => {
        const { host, replicas } = object.spec;
        await ctx.apply(deployments, deploymentFor(object));
        await ctx.apply(services, serviceFor(object));
        await dns.set(host, `${key.name}.${key.namespace}.svc`);

        // The Deployment of the cache: each change of it leads to the next reconcile.
        const { readyReplicas = 0, replicas: pods = 0 } = ctx.store(deployments).get(key)?.status ?? {};
        const isReady = readyReplicas >= replicas;
        const conditions = setCondition(object.status?.conditions, {
          type: 'Ready',
          status: isReady ? 'True' : 'False',
          reason: isReady ? 'AllReplicasReady' : 'ReplicasNotReady',
          message: `${readyReplicas} of ${replicas} replicas are ready`,
          observedGeneration: object.metadata.generation,
        });
        await ctx.patchStatus({ replicas: pods, selector: `website=${key.name}`, conditions });
      },
      // The Deployment and the Service go with their owner.
      cleanup: ({ spec }) => dns.remove(spec.host),
    }),
  };
}

function deploymentFor({ metadata: { name }, spec }: Website): AppliedObject<Deployment> {
  const labels = { website: name };
  return {
    metadata: { name, labels },
    spec: {
      replicas: spec.replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: 'web', image: spec.image, ports: [{ name: 'http', containerPort: 80 }] }] },
      },
    },
  };
}

function serviceFor({ metadata: { name } }: Website): AppliedObject<Service> {
  const labels = { website: name };
  return {
    metadata: { name, labels },
    spec: { selector: labels, ports: [{ name: 'http', port: 80, targetPort: 'http' }] },
  };
}
