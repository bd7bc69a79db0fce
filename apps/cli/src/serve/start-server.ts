/** Starts a server from its settings: storage, certificates, listener, kubeconfig, controllers, in this order. */

import { join } from 'node:path';
import { type ApiServer, type ApiServerOptions, type ServiceAccountOptions } from '@listwatch/server';
import { isStorageError } from '@listwatch/storage';
import type { Logger } from 'pino';
import type { ConsoleDoor } from '../console/console-door.ts';
import { isListenError } from '../file-error.ts';
import { openPki, type Pki } from '../pki/pki-folder.ts';
import { servingNames } from '../pki/serving-names.ts';
import type { ServerReaders } from '../readers/server-readers.ts';
import { readAuditFiles } from './access/audit-files.ts';
import { type CredentialFiles, readCredentialFiles } from './access/credential-files.ts';
import { type OpenAuthorization, openAuthorization } from './access/open-authorization.ts';
import { openAuthentication, type ServerAuthentication } from './access/server-authentication.ts';
import { DATA_NAMES, prepareDataFolder } from './data-folder.ts';
import { checkReplaceable, kubeconfigText } from './kubeconfig-file.ts';
import { openStorage } from './open-storage.ts';
import { writePrivateFile } from './private-file.ts';
import { aggregationOptions } from './proxy-client.ts';
import type { ServeSettings } from './serve-options.ts';
import { checkControllerNames, ServerControllers } from './server-controllers.ts';
import { logReach, logStorageError } from './storage-log.ts';

/** Makes the server itself; tests bring a stand-in. */
export type ApiServerFactory = (options: ApiServerOptions) => ApiServer;

/** What a start needs besides the settings. */
export interface StartContext {
  readonly log: Logger;
  readonly createApiServer: ApiServerFactory;
}

/** A server that serves. */
export interface RunningServer {
  readonly url: string;
  readonly insecureUrl: string | undefined;
  /** The kubeconfig to tell people about. */
  readonly kubeconfig: string;
  /** Undefined: switched off. */
  readonly console: Pick<ConsoleDoor, 'link' | 'url'> | undefined;
  /** Drains, then closes the storage. */
  close(): Promise<void>;
}

/** Without etcd the controllers cannot give up their lease, and wait for answers that do not come. */
const CONTROLLERS_END_MS = 10_000;

const RESTORED = 'the store is a backup or a copy: it goes on from a later revision, and all clients list anew';

/**
 * Resolves when requests are answered and the kubeconfig is written. On failure everything that was opened is closed
 * again. Throws a `UsageError` for a file that an option names wrongly; see `explainFailure` for the rest.
 */
export async function startServer(settings: ServeSettings, context: StartContext): Promise<RunningServer> {
  const { log, createApiServer } = context;
  await checkControllerNames(settings);
  const files = readCredentialFiles(settings);
  const audit = readAuditFiles(settings);
  for (const warning of [...files.warnings, ...audit.warnings]) log.warn(warning);
  const kubeconfigs = kubeconfigPaths(settings);
  const repaired = [...prepareDataFolder(settings.data)];
  for (const path of kubeconfigs) checkReplaceable(path);
  // The store first: it lets one process in at a time, so that nobody else writes certificates meanwhile.
  const engine = await openStorage(settings, {
    onBackgroundError: (error) => log.error({ code: error.code, key: error.key }, error.message),
    onCredentialsError: (error) => log.warn({ code: error.code }, error.message),
    onPermissionsRepaired: (paths) => repaired.push(...paths),
    onRestored: (revision) => log.warn({ revision: String(revision) }, RESTORED),
    onReach: (reach) => logReach(log, reach),
  });
  if (repaired.length > 0)
    log.warn({ paths: repaired }, 'others could read these until now; only the owner can any more');
  let server: ApiServer | undefined;
  let readers: ServerReaders | undefined;
  const controllers = new ServerControllers();
  let crds: { close(): Promise<void> } | undefined;
  let door: ConsoleDoor | undefined;
  let authentication: ServerAuthentication | undefined;
  let authorization: OpenAuthorization | undefined;
  const close = async (): Promise<void> => {
    if (door !== undefined) await door.close();
    // They need the primary until they have answered what they have taken.
    if (readers !== undefined) await readers.end();
    if (crds !== undefined) await crds.close();
    const stopped = controllers.close();
    // The next leader need not wait when the lease is given up, and a server that ends takes no writes any more.
    if (settings.storage === 'etcd' && !(await endsWithin(stopped, CONTROLLERS_END_MS))) {
      log.warn(
        'the controllers have not ended in time: is etcd reachable? The next leader waits for the lease to expire',
      );
    }
    await server?.close();
    readers?.close();
    await authentication?.close();
    await authorization?.close();
    await endsWithin(stopped, CONTROLLERS_END_MS);
    await engine.close();
  };
  try {
    const pki = openPki({ folder: join(settings.data, DATA_NAMES.pki), names: servingNames(settings.bindAddress) });
    if (pki.made.length > 0) log.debug({ files: pki.made }, 'made certificates');
    const serving = files.serving ?? pki.server;
    authentication = await openAuthentication(settings, { files, userTokenKey: pki.userTokenKey, log });
    authorization = await openAuthorization(settings, log);
    if (settings.readers > 0) {
      // Loaded only now: most servers are one process.
      const { ServerReaders: Readers } = await import('../readers/server-readers.ts');
      readers = new Readers(settings, log, engine);
    }
    const options: ApiServerOptions = {
      engine,
      ...serverOptions(settings),
      audit: audit.options,
      moreMetrics: () => `${controllers.metrics()}${readers?.metricsText() ?? ''}`,
      tls: {
        ...serving,
        clientCa: [pki.ca, files.clientCa ?? ''].join('\n'),
        requestHeaderCa: files.requestHeaderCa ?? pki.frontProxyCa,
      },
      aggregation: {
        ...aggregationOptions(settings, { pki, files, log }),
        refusedPorts: () => (door === undefined ? [] : [Number(new URL(door.url).port)]),
      },
      kubelets: {
        caData: files.kubeletCa,
        certData: pki.admin.cert,
        keyData: pki.admin.key,
        // The console acts with the rights of an administrator.
        refusedPorts: () => (door === undefined ? [] : [Number(new URL(door.url).port)]),
      },
      authentication: authentication.options,
      authorization: authorization.modes,
      serviceAccounts: serviceAccountOptions(settings, files, pki),
      onError: (error, request) => {
        // A port that is taken also rejects `listen`, and is explained there.
        if (isListenError(error)) return;
        if (isStorageError(error)) logStorageError(log, error, request);
        else if (request.target === 'audit') log.error(error instanceof Error ? error.message : String(error));
        else log.error({ err: error, ...request }, 'a request failed unexpectedly');
      },
    };
    if (readers === undefined) {
      server = createApiServer(options);
      await server.listen();
    } else {
      server = readers.createServer(options);
      await readers.listen();
    }
    const { url, insecureUrl } = server;
    if (settings.crds !== undefined) {
      // Loaded only now: it would make every start slower.
      const { installCrdFolder } = await import('./crd-folder.ts');
      crds = await installCrdFolder(server, { path: settings.crds, log });
    }
    const authority = authorityOf(files, pki);
    const text = kubeconfigText({ url, authority, serving: serving.cert, client: pki.admin });
    for (const path of kubeconfigs) writePrivateFile(path, text);
    controllers.start(server, { settings, log, caBundle: authority });
    if (settings.console.type !== 'off') {
      // Loaded only now, as above.
      const { openServerConsole } = await import('../console/server-console.ts');
      door = await openServerConsole(server, { settings, log });
    }
    return {
      url,
      insecureUrl,
      kubeconfig: settings.kubeconfigOut ?? join(settings.data, DATA_NAMES.kubeconfig),
      console: door,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** False: it has not ended in this time. */
async function endsWithin(ending: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([ending.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Of the primary and of its readers. */
export function serviceAccountOptions(
  { serviceAccountIssuer: [issuer, ...formerIssuers], apiAudiences, serviceAccountIssuer }: ServeSettings,
  { serviceAccounts }: CredentialFiles,
  pki: Pki,
): ServiceAccountOptions {
  const audiences = apiAudiences.length > 0 ? apiAudiences : serviceAccountIssuer;
  return {
    signingKey: pki.serviceAccountKey,
    ...serviceAccounts,
    ...(issuer === undefined ? {} : { issuer, formerIssuers }),
    ...(audiences.length === 0 ? {} : { audiences }),
  };
}

function kubeconfigPaths({ data, kubeconfigOut }: ServeSettings): readonly string[] {
  return [join(data, DATA_NAMES.kubeconfig), ...(kubeconfigOut === undefined ? [] : [kubeconfigOut])];
}

/** Of the primary and of its readers. */
export function serverOptions(settings: ServeSettings): Omit<ApiServerOptions, 'engine' | 'tls'> {
  return {
    host: settings.bindAddress,
    port: settings.port,
    insecurePort: settings.insecurePort,
    watchCacheSizes: settings.watchCacheSizes,
    defaultWatchCacheSize: settings.defaultWatchCacheSize,
    endWatchesOnRevocation: settings.endWatchesOnRevocation,
    admissionPlugins: settings.enableAdmissionPlugins,
    eventTtlMs: settings.eventTtl,
    serviceClusterIpRanges: settings.serviceClusterIpRange.length === 0 ? undefined : settings.serviceClusterIpRange,
    minRequestTimeoutMs: settings.minRequestTimeout,
    requestTimeoutMs: settings.requestTimeout,
    enablePriorityAndFairness: settings.enablePriorityAndFairness,
    maxReadsInFlight: settings.maxRequestsInflight,
    maxMutatingInFlight: settings.maxMutatingRequestsInflight,
    shutdownDelayMs: settings.shutdownDelayDuration,
  };
}

/** Clients of a certificate of one's own are given that and its chain: who signed it, we are not told. */
function authorityOf({ serving }: CredentialFiles, pki: Pki): string {
  return serving?.cert ?? pki.ca;
}
