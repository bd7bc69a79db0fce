/** Our own server in this process, with a look at every request before it arrives. */

import { MEDIA_TYPE } from '@listwatch/api';
import { createApiServer } from '@listwatch/server';
import { createMemoryEngine } from '@listwatch/storage';
import type { Cluster } from '../src/cluster.ts';
import { createCluster } from '../src/create-cluster.ts';
import { createLoopbackTransport } from '../src/transport/carriers/loopback-transport.ts';
import type { TransportRequest } from '../src/transport/transport.ts';

/** A server and what was asked of it. */
export class ObservedServer implements AsyncDisposable {
  readonly #engine = createMemoryEngine();
  readonly #server = createApiServer({ engine: this.#engine });
  /** The requests of `cluster`: method, path and content type. */
  readonly requests: TransportRequest[] = [];
  /** Runs before a request of `cluster` reaches the server. */
  onRequest: ((request: TransportRequest) => Promise<void>) | undefined;
  readonly cluster: Cluster;
  /** Not observed: what others do to the server. */
  readonly others: Cluster;

  /** `hasApply: false`: it knows no server-side apply, as servers older than Kubernetes 1.18 do. */
  constructor({ hasApply = true }: { readonly hasApply?: boolean } = {}) {
    const user = { name: 'admin', groups: ['system:masters'] };
    const handle = (request: TransportRequest) => this.#server.handle(request, { user });
    const observed = async (request: TransportRequest) => {
      this.requests.push(request);
      await this.onRequest?.(request);
      const isApply = request.headers['content-type'] === MEDIA_TYPE.applyPatch;
      if (hasApply || !isApply) return handle(request);
      return handle({ ...request, headers: { ...request.headers, 'content-type': 'application/unknown-patch+yaml' } });
    };
    this.cluster = createCluster(createLoopbackTransport({ handle: observed }), { server: 'observed' });
    this.others = createCluster(createLoopbackTransport({ handle }), { server: 'others' });
  }

  /** Starts one. */
  static async start(options: { readonly hasApply?: boolean } = {}): Promise<ObservedServer> {
    const started = new ObservedServer(options);
    await started.#server.start();
    return started;
  }

  /** The requests since the last call, such as `PATCH merge-patch`. */
  taken(): readonly string[] {
    return this.requests.splice(0).map(({ method, headers }) => {
      const [, kind = ''] = /^application\/(.*?)\+/u.exec(String(headers['content-type'] ?? '')) ?? [];
      return kind === '' ? method : `${method} ${kind}`;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cluster.close();
    await this.others.close();
    await this.#server.close();
    await this.#engine.close();
  }
}
