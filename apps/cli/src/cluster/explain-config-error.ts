/** Explains a configuration that does not lead to a cluster, in the words of the command. */

import { existsSync } from 'node:fs';
import { delimiter } from 'node:path';
import type { ConfigError } from '@listwatch/client';

/** The sentence for the user: what was looked for, where, and which option helps. */
export function explainConfigError(
  { code, message }: Pick<ConfigError, 'code' | 'message'>,
  env: Readonly<Record<string, string | undefined>>,
): string {
  return code === 'NO_CONFIG'
    ? `No cluster configured: ${lookedAt(env['KUBECONFIG'] ?? '')}, and this is not a pod. Pass --kubeconfig or --server, or set KUBECONFIG.`
    : message;
}

function lookedAt(variable: string): string {
  const files = variable.split(delimiter).filter((file) => file !== '');
  if (files.length === 0) return '~/.kube/config does not exist or has no contexts';
  const names = files.join(' and ');
  if (files.some((file) => existsSync(file))) return `KUBECONFIG points to ${names}, which has no contexts`;
  return `KUBECONFIG points to ${names}, which ${files.length === 1 ? 'does' : 'do'} not exist`;
}
