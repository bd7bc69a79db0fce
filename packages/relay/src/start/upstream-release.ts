/** Which release the upstream is of: asked again and again, for it may be upgraded. */

import type { CancelTimer, Clock } from '@listwatch/api';
import { textOf } from '@listwatch/api/values';
import type { Cluster } from '@listwatch/client';
import { KUBERNETES_VERSION } from '@listwatch/server/read';

const EVERY_MS = 30_000;
const ANSWER_MS = 5000;

/** Until it is known, and while it cannot be asked, it counts as another release than that of this program. */
export class UpstreamRelease {
  readonly #cluster: Pick<Cluster, 'raw'>;
  readonly #clock: Clock;
  #version = '';
  #isSame = false;
  #isStopped = false;
  #asking: Promise<void> | undefined;
  #cancel: CancelTimer = () => {};

  constructor(cluster: Pick<Cluster, 'raw'>, clock: Clock) {
    this.#cluster = cluster;
    this.#clock = clock;
  }

  /** As the upstream says it; `''`: unknown. */
  get version(): string {
    return this.#version;
  }

  get isSame(): boolean {
    return this.#isSame;
  }

  /** Is it our own server, of the same release? */
  get isOwn(): boolean {
    return this.#isSame && this.#version.endsWith('+listwatch');
  }

  /** As soon as it is known; `''`: it cannot be asked. */
  async known(): Promise<string> {
    if (this.#version === '') await (this.#asking ??= this.#ask());
    return this.#version;
  }

  async start(): Promise<void> {
    await (this.#asking ??= this.#ask());
    if (!this.#isStopped) this.#cancel = this.#clock.after(EVERY_MS, () => void this.start());
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }

  async #ask(): Promise<void> {
    try {
      const answer = await this.#cluster.raw('/version', { headersTimeoutMs: ANSWER_MS, idleTimeoutMs: ANSWER_MS });
      const { major, minor, gitVersion } = await answer.json();
      this.#version = textOf(gitVersion);
      // Some builds write `36+`.
      const isSameMinor = textOf(minor).replace(/\+$/u, '') === KUBERNETES_VERSION.minor;
      this.#isSame = answer.ok && textOf(major) === KUBERNETES_VERSION.major && isSameMinor;
    } catch {
      this.#isSame = false;
    } finally {
      this.#asking = undefined;
    }
  }
}
