import { deployments } from '@listwatch/kinds';
import { type ControllerOptions, setCondition } from '@listwatch/runtime';
import { type Website, website } from './website.ts';

/** A Deployment for each Website, and its readiness in the status. Exported as options, so that tests run it, too. */
export const websiteOperator: ControllerOptions<Website> = {
  name: 'website-operator',
  for: website.resource,
  owns: [deployments],
  reconcile: async ({ object, key }, ctx) => {
    if (object === undefined) return; // deleted: its Deployment goes with it
    const { image, replicas } = object.spec;
    const labels = { 'app.kubernetes.io/instance': key.name };
    await ctx.apply(deployments, {
      metadata: { name: key.name, labels },
      spec: {
        replicas,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'main', image }] } },
      },
    });
    const { replicas: pods = 0, readyReplicas = 0 } = ctx.store(deployments).get(key)?.status ?? {};
    const conditions = setCondition(object.status?.conditions, {
      type: 'Ready',
      status: readyReplicas >= replicas ? 'True' : 'False',
      reason: 'ReplicasCounted',
      message: `${readyReplicas} of ${replicas} replicas are ready`,
      observedGeneration: object.metadata.generation,
    });
    await ctx.patchStatus({ replicas: pods, conditions });
  },
};
