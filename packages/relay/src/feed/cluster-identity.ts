/** Which cluster the upstream is: known by the uid of its namespace `kube-system`. */

import { isStatusError, resource } from '@listwatch/api';
import type { Cluster } from '@listwatch/client';

const NAMESPACES = resource({ version: 'v1', plural: 'namespaces', kind: 'Namespace', namespaced: false });

/** Remembers the first one. */
export class ClusterIdentity {
  readonly #cluster: Pick<Cluster, 'get'>;
  #uid: string | undefined;

  constructor(cluster: Pick<Cluster, 'get'>) {
    this.#cluster = cluster;
  }

  /** Undefined: it has not said so yet, or cannot. */
  get uid(): string | undefined {
    return this.#uid;
  }

  /** What is shown before it has been asked comes from this cluster. */
  expect(uid: string): void {
    this.#uid ??= uid;
  }

  /** Rejects when the upstream cannot be asked. A cluster that does not say who it is counts as the same. */
  async check(): Promise<{ readonly isOther: boolean }> {
    const uid = await this.#ask();
    if (uid === undefined) return { isOther: false };
    const isOther = this.#uid !== undefined && this.#uid !== uid;
    this.#uid = uid;
    return { isOther };
  }

  /** Undefined where there is no such namespace, or the relay may not read it. */
  async #ask(): Promise<string | undefined> {
    try {
      return (await this.#cluster.get(NAMESPACES, { name: 'kube-system' })).metadata.uid;
    } catch (error) {
      if (isStatusError(error) && (error.httpCode === 403 || error.httpCode === 404)) return undefined;
      throw error;
    }
  }
}
