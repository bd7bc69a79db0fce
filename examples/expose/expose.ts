/** Gives every Deployment with the label `expose` a Service and a route, and reports in the Deployment's status. */

import { type ApiObject, resource } from '@listwatch/api';
import type { AppliedObject } from '@listwatch/client';
import { type Service, services } from '@listwatch/kinds';
import { type Condition, type ControllerOptions, setCondition, TerminalError } from '@listwatch/runtime';

export interface Deployment extends ApiObject {
  readonly spec?: { readonly selector?: { readonly matchLabels?: Readonly<Record<string, string>> } };
  readonly status?: { readonly conditions?: readonly Condition[] };
}

export const deployments = resource<Deployment>({
  group: 'apps',
  version: 'v1',
  plural: 'deployments',
  kind: 'Deployment',
  namespaced: true,
});
export { services };

export const FINALIZER = 'example.com/route';

/** Something outside the cluster that must be cleaned up: DNS, a load balancer. Both may be called again. */
export interface Routes {
  set(name: string, address: string): Promise<void> | void;
  remove(name: string): Promise<void> | void;
}

/** The controller, as options: a program runs them, and so does a test. */
export function expose(routes: Routes): ControllerOptions<Deployment> {
  return {
    name: 'expose',
    for: deployments,
    owns: [services],
    concurrency: 4,
    reconcile: async ({ object, key }, ctx) => {
      if (object === undefined) return;
      // The Deployment is being deleted: remove the route first. The Service goes with its owner.
      if (await ctx.finalize(FINALIZER, () => routes.remove(key.toString()))) return;

      const label = object.metadata.labels?.['expose'];
      if (label === undefined) {
        if (ctx.store(services).get(key) === undefined) return;
        await routes.remove(key.toString());
        await ctx.cluster.delete(services, key);
        return;
      }
      const port = Number(label);
      if (!Number.isInteger(port) || port < 1 || port > 65_535) {
        ctx.recorder.warning('InvalidPort', `the label expose must be a port, not ${label}`);
        await ctx.patchStatus({ conditions: exposed(object, 'False', 'InvalidPort') });
        // A retry would not help: wait until the object changes.
        throw new TerminalError(`the label expose must be a port, not ${label}`);
      }
      // Before anything is made that must be cleaned up.
      if ((await ctx.ensureFinalizer(FINALIZER)) === undefined) return;
      await ctx.apply(services, serviceFor(object, port));
      await routes.set(key.toString(), `${key.name}.${key.namespace}.svc:80`);
      await ctx.patchStatus({ conditions: exposed(object, 'True', 'ServiceReady') });
    },
  };
}

function serviceFor({ metadata, spec }: Deployment, targetPort: number): AppliedObject<Service> {
  return {
    metadata: { name: metadata.name, namespace: metadata.namespace },
    spec: { selector: spec?.selector?.matchLabels ?? {}, ports: [{ name: 'http', port: 80, targetPort }] },
  };
}

function exposed({ status }: Deployment, value: 'False' | 'True', reason: string): readonly Condition[] {
  return setCondition(status?.conditions, { type: 'Exposed', status: value, reason });
}
