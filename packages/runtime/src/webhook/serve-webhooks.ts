/** Serves webhooks beside the controllers of a manager. */

import { sleep } from '@listwatch/api';
import { abortable } from '@listwatch/api/internal';
import { linkSignal } from '@listwatch/client/internal';
import type { Manager } from '../manager/manager.ts';
import type { RunnableSurroundings } from '../manager/runnable.ts';
import { BundleKeeper } from './certificate/bundle-keeper.ts';
import type { CertificateSource, PairSink } from './certificate/certificate-source.ts';
import { FileCertificate } from './certificate/file-certificate.ts';
import { SecretCertificate } from './certificate/secret-certificate.ts';
import { readPair, type ServingPair } from './certificate/serving-pair.ts';
import { WakeLoop } from './certificate/wake-loop.ts';
import { certificateNames } from './installation.ts';
import { resolveServeOptions, type ServeWebhooksConfig, type ServeWebhooksOptions } from './serve-webhooks-options.ts';
import { ServedWebhookMetrics } from './served-webhook-metrics.ts';
import { WebhookCalls } from './webhook-calls.ts';
import { WebhookServer } from './webhook-server.ts';
import { type WebhookSet, type Webhooks, webhookSetOf } from './webhook-set.ts';

/** A server of webhooks in a manager. */
export interface WebhookServing {
  /** Undefined before it listens. */
  readonly port: number | undefined;
  /** Why the API server cannot rely on it yet; undefined when it can. `/readyz` says the same. */
  readonly notReady: string | undefined;
}

/**
 * Serves webhooks over HTTPS on every replica, from before the caches are filled until the manager has stopped: conversions are
 * needed to fill them. It makes its certificate and puts its authority into the configurations and CRDs of `webhookManifests`, which
 * you apply.
 *
 * @example
 * const program = manager(cluster);
 * serveWebhooks(program, hooks, { name: 'backup', service: { namespace: 'backup', name: 'webhooks' } });
 * await program.run({ signal: untilSignal() });
 *
 * @throws TypeError, RangeError for options that are wrong
 */
export function serveWebhooks(manager: Manager, hooks: Webhooks, options: ServeWebhooksOptions): WebhookServing {
  const config = resolveServeOptions(options);
  const serving = new ManagedWebhooks(webhookSetOf(hooks), config, new ServedWebhookMetrics(manager.registry));
  manager.add({
    name: `webhooks ${config.installation.name}`,
    needsLeadership: false,
    beforeCaches: true,
    notReady: () => serving.notReady,
    run: (surroundings) => serving.run(surroundings),
  });
  return serving;
}

class ManagedWebhooks implements WebhookServing {
  readonly #set: WebhookSet;
  readonly #config: ServeWebhooksConfig;
  readonly #metrics: ServedWebhookMetrics;
  #server: WebhookServer | undefined;
  #keeper: BundleKeeper | undefined;
  #pair: ServingPair | undefined;
  #isEnding = false;

  constructor(set: WebhookSet, config: ServeWebhooksConfig, metrics: ServedWebhookMetrics) {
    this.#set = set;
    this.#config = config;
    this.#metrics = metrics;
  }

  get port(): number | undefined {
    return this.#server?.port;
  }

  get notReady(): string | undefined {
    if (this.#isEnding) return 'the server of the webhooks stops';
    if (this.#pair === undefined) return 'there is no certificate yet';
    if (this.port === undefined) return 'the server of the webhooks does not listen yet';
    return this.#keeper?.missingTrust(this.#pair.cert);
  }

  async run(surroundings: RunnableSurroundings): Promise<void> {
    const { cluster, logger, signal } = surroundings;
    const { clock } = cluster;
    const { config, registered } = this.#set;
    const calls = new WebhookCalls(registered, config, { clock, logger, observer: this.#metrics });
    const server = new WebhookServer(calls);
    this.#server = server;
    const stop = linkSignal(signal);
    let gotPair: (() => void) | undefined;
    const hasPair = new Promise<void>((resolve) => {
      gotPair = resolve;
    });
    const loop = new WakeLoop(
      clock,
      () => this.#step(source, keeper, stop.signal),
      (error) => logger.error({ error }, 'the certificate of the webhooks could not be looked after; trying again'),
    );
    const onChange = (): void => loop.wake();
    const onPatched = (): void => this.#metrics.patched();
    const keeper = new BundleKeeper(registered, this.#config.installation.name, {
      ...surroundings,
      onChange,
      onPatched,
    });
    this.#keeper = keeper;
    const onPair: PairSink = (pair) => {
      server.use(pair);
      this.#pair = pair;
      this.#metrics.certificate(readPair(pair, NO_NAMES)?.notAfter ?? 0);
      gotPair?.();
    };
    const source = this.#source(surroundings, { onChange, onPair, keeper });
    const looping = loop.run(stop.signal);
    try {
      await abortable(hasPair, signal);
      await server.listen(this.#config.host, this.#config.port);
      logger.info({ port: server.port, webhooks: registered.admission.size }, 'the webhooks are served');
      await looping;
      await this.#drain(server, surroundings);
    } finally {
      stop.abort();
      stop.unlink();
      await looping;
      await server.close();
      await Promise.all([source.close(), keeper.close()]);
    }
  }

  async #step(source: CertificateSource, keeper: BundleKeeper, signal: AbortSignal): Promise<number> {
    await abortable(Promise.resolve(source.synced), signal);
    const ms = await source.step();
    if (source.bundle !== undefined) await keeper.put(source.bundle);
    return ms;
  }

  /** Calls still come for a while: those who send them learn of the stop later than this process. */
  async #drain(server: WebhookServer, { cluster, logger }: RunnableSurroundings): Promise<void> {
    this.#isEnding = true;
    server.drain();
    logger.info({ drainMs: this.#config.drainMs }, 'the server of the webhooks stops');
    if (this.#config.drainMs > 0) await sleep(cluster.clock, this.#config.drainMs);
  }

  #source(
    { cluster, informers, logger }: RunnableSurroundings,
    { onChange, onPair, keeper }: { onChange: () => void; onPair: PairSink; keeper: BundleKeeper },
  ): CertificateSource {
    const { certificate, installation } = this.#config;
    if (certificate.type === 'files') {
      const onRead = (isGood: boolean): void => this.#metrics.read(isGood);
      return new FileCertificate({ files: certificate.files, logger, onPair, onRead });
    }
    const { secret, timing } = certificate;
    return new SecretCertificate({
      cluster,
      informers,
      logger,
      secret: { name: secret.name, namespace: secret.namespace ?? cluster.namespace },
      name: installation.name,
      names: certificateNames(installation),
      timing,
      isBundleInPlace: (bundle) => keeper.isInPlace(bundle),
      onPair,
      onChange,
    });
  }
}

const NO_NAMES = { dnsNames: [], ipAddresses: [] };
