/** From the options and files about authorization to what the server takes. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { backgroundClock } from '@listwatch/api';
import type { AuthorizationModes } from '@listwatch/server';
import type { AuthorizationConfiguration, ConfiguredAuthorization } from '@listwatch/server/authorization';
import type { Logger } from 'pino';
import { explainFileError } from '../../file-error.ts';
import { UsageError } from '../../usage-error.ts';
import { FollowedFile } from '../followed-file.ts';
import type { AuthorizationModeName } from '../value-kind.ts';
import type { AuthorizationSettings } from './authorization-options.ts';
import { serverIdOf } from './server-id.ts';
import { readWebhookKubeconfig } from './webhook-kubeconfig.ts';

/** The authorizers of the server. */
export interface OpenAuthorization {
  readonly modes: AuthorizationModes;
  /** Follows the configuration file no longer, and leaves the webhooks. */
  close(): Promise<void>;
}

/** As kube-apiserver, for the flags, which have no timeout. */
const FLAG_TIMEOUT = '30s';
const CONFIG_OPTION = 'authorization-config';

/** Throws a `UsageError` for a file or a flag that is wrong. */
export async function openAuthorization(
  settings: AuthorizationSettings & { readonly port: number },
  log: Logger,
): Promise<OpenAuthorization> {
  const { authorizationConfig: path, authorizationMode: modes } = settings;
  if (path !== undefined) return openConfig(path, serverIdOf(settings), log);
  const builtIn = modes.filter(isBuiltIn);
  if (builtIn.length === modes.length) return { modes: builtIn, close: async () => {} };
  const { ConfiguredAuthorization: Configured } = await import('@listwatch/server/authorization');
  const authorization = await Configured.create(flagConfiguration(settings), {
    clock: backgroundClock,
    connect: (file) => readWebhookKubeconfig(file, 'authorization-webhook-config-file'),
  });
  return { modes: authorization, close: async () => authorization.close() };
}

function isBuiltIn(mode: AuthorizationModeName): mode is Exclude<AuthorizationModeName, 'Webhook'> {
  return mode !== 'Webhook';
}

/** Loaded only when there is one: expressions are a large part of the program. */
async function openConfig(path: string, serverId: string, log: Logger): Promise<OpenAuthorization> {
  const server = await import('@listwatch/server/authorization');
  const reloads = new server.ReloadCounts(serverId, backgroundClock);
  const connect = (file: string): ReturnType<typeof readWebhookKubeconfig> =>
    readWebhookKubeconfig(file, `${CONFIG_OPTION} ${path}: kubeConfigFile`);
  const { text, authorization } = await explained(path, async () => {
    const first = readFileSync(path, 'utf8');
    const configuration = server.parseAuthorizationConfiguration(first);
    const parts = { clock: backgroundClock, connect, reloads };
    return { text: first, authorization: await server.ConfiguredAuthorization.create(configuration, parts) };
  });
  reloads.using(text);
  const file = new FollowedFile(
    {
      path,
      option: CONFIG_OPTION,
      log,
      onFailure: () => reloads.count('failure'),
      use: async (changed) => {
        if (!(await authorization.replace(server.parseAuthorizationConfiguration(changed)))) return;
        reloads.using(changed);
        reloads.count('success');
        log.info({ path, authorizers: namesOf(authorization) }, 'uses the changed authorization configuration');
      },
    },
    text,
  );
  return {
    modes: authorization,
    close: async () => {
      await file.close();
      authorization.close();
    },
  };
}

async function explained<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const isFileError = error instanceof Error && 'syscall' in error;
    const reason = isFileError ? explainFileError(error) : error instanceof Error ? error.message : String(error);
    throw new UsageError(`--${CONFIG_OPTION} ${path}: ${reason}`);
  }
}

function namesOf({ steps }: ConfiguredAuthorization): readonly string[] {
  return steps.map((step) => (typeof step === 'string' ? step.toLowerCase() : step.name));
}

/** What the flags say, in the words of the file. */
function flagConfiguration(settings: AuthorizationSettings): AuthorizationConfiguration {
  const { authorizationWebhookCacheAuthorizedTtl: yes, authorizationWebhookCacheUnauthorizedTtl: no } = settings;
  const webhook = {
    timeout: FLAG_TIMEOUT,
    authorizedTTL: `${yes}ms`,
    cacheAuthorizedRequests: yes > 0,
    unauthorizedTTL: `${no}ms`,
    cacheUnauthorizedRequests: no > 0,
    subjectAccessReviewVersion: settings.authorizationWebhookVersion,
    failurePolicy: 'NoOpinion',
    connectionInfo: {
      type: 'KubeConfigFile',
      kubeConfigFile: resolve(settings.authorizationWebhookConfigFile ?? ''),
    },
  };
  const authorizers = settings.authorizationMode.map((mode) =>
    mode === 'Webhook' ? { type: mode, name: 'default', webhook } : { type: mode, name: mode.toLowerCase() },
  );
  return { authorizers };
}
