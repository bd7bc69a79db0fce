/** The members of the cluster, and the one in use. */

import { Endpoint } from './endpoint.ts';
import type { EtcdConfig } from './etcd-options.ts';
import type { GrpcConnection } from './grpc/grpc-connection.ts';
import { TlsSource } from './tls-source.ts';

/** All calls and watches go to one member until it fails; then to the next. */
export class EndpointSet {
  readonly #all: readonly Endpoint[];
  #index = 0;

  constructor(config: EtcdConfig) {
    const tls = new TlsSource({ read: config.tls, onError: config.onCredentialsError });
    this.#all = config.endpoints.map((endpoint) => new Endpoint(config, endpoint, tls));
  }

  get size(): number {
    return this.#all.length;
  }

  get current(): Endpoint {
    const current = this.#all[this.#index];
    if (current === undefined) throw new RangeError(`no endpoint ${this.#index}`);
    return current;
  }

  /**
   * Reports that `connection` did not serve. Moves on only if that endpoint is still the current one: of the many calls
   * that fail together when a member dies, the first moves the set and the others find it moved. `serves`: the member is
   * no use, such as one without a leader, and yet it answers. Then the connection stays: watches would hold a second one open for as
   * long as they last.
   */
  failed(endpoint: Endpoint, connection: GrpcConnection, serves: boolean): void {
    if (endpoint === this.current && endpoint.has(connection)) {
      this.#index = (this.#index + 1) % this.#all.length;
    }
    if (!serves) endpoint.renew(connection);
  }

  close(): void {
    for (const endpoint of this.#all) endpoint.close();
  }
}
