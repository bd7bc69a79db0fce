/** The controllers of a server in the same process, through its loopback. */

import { channel } from 'node:diagnostics_channel';
import { backgroundClock, type Clock } from '@listwatch/api';
import {
  assemble,
  type Cluster,
  createCluster,
  createLoopbackTransport,
  type LoopbackHandler,
} from '@listwatch/client';
import { controllerUser, type LoopbackUser, MANAGER_USER } from './controller-users.ts';
import type { ControllersOptions } from './controllers-options.ts';
import type { OwnedKindsSource } from './garbage/owned-kinds-source.ts';
import { type RunningControllers, startControllers } from './start-controllers.ts';

/** A server in this process, such as the one of `createApiServer`. */
export interface LoopbackServer {
  /** Spares the garbage collector watches of kinds that it has nothing to do with. */
  readonly ownedKinds?: OwnedKindsSource | undefined;
  handle(
    request: Parameters<LoopbackHandler['handle']>[0],
    options: { readonly user: LoopbackUser },
  ): ReturnType<LoopbackHandler['handle']>;
}

/** Options of {@link startLoopbackControllers}. */
export interface LoopbackControllersOptions extends Omit<ControllersOptions, 'clusterFor' | 'ownedKinds'> {
  /** The clock of the server. Default: the machine's; its timers do not keep the process alive. */
  readonly clock?: Clock | undefined;
}

const REQUESTS = channel('listwatch:controllers:request');
const RESPONSES = channel('listwatch:controllers:response');

/**
 * A message of the diagnostics channels `listwatch:controllers:request`, before a request of a controller is sent, and
 * `listwatch:controllers:response`, when it was answered.
 */
export interface ControllerRequest {
  readonly user: LoopbackUser;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** Of the answer. */
  readonly status?: number | undefined;
}

/**
 * Starts the controllers for a server in this process, without a socket. Each has a user of its own, such as
 * `system:serviceaccount:kube-system:namespace-controller`, and the rights that the default roles of Kubernetes give to it. Close
 * them before the server.
 */
export function startLoopbackControllers(
  server: LoopbackServer,
  { clock = backgroundClock, ...options }: LoopbackControllersOptions = {},
): RunningControllers {
  const clusters: Cluster[] = [];
  const connect = (user: LoopbackUser): Cluster => {
    const wire = createLoopbackTransport({ handle: (request) => told(user, request, server) }, { clock });
    const cluster = createCluster(assemble(wire, { clock, onWarning: false }), { server: 'loopback:', clock });
    clusters.push(cluster);
    return cluster;
  };
  const byName = new Map<string, Cluster>();
  const running = startControllers(connect(MANAGER_USER), {
    ...options,
    ownedKinds: server.ownedKinds,
    clusterFor: (name) => {
      const known = byName.get(name);
      if (known !== undefined) return known;
      const cluster = connect(controllerUser(name));
      byName.set(name, cluster);
      return cluster;
    },
  });
  const close = async (): Promise<void> => {
    await running.close();
    await Promise.all(clusters.map((cluster) => cluster.close()));
  };
  return {
    names: running.names,
    ready: running.ready,
    garbage: running.garbage,
    get isLeading() {
      return running.isLeading;
    },
    get controllers() {
      return running.controllers;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function told(
  user: LoopbackUser,
  request: Parameters<LoopbackHandler['handle']>[0],
  server: LoopbackServer,
): ReturnType<LoopbackHandler['handle']> {
  const { method, path } = request;
  const message: ControllerRequest = { user, method, path };
  if (REQUESTS.hasSubscribers) REQUESTS.publish(message);
  const response = await server.handle(request, { user });
  if (RESPONSES.hasSubscribers) RESPONSES.publish({ ...message, status: response.status } satisfies ControllerRequest);
  return response;
}
