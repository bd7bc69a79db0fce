/** Options about authorization that contradict one another, or mean nothing alone. */

import { UsageError } from '../../usage-error.ts';
import { optionName } from '../option-spec.ts';
import type { AuthorizationSettings } from './authorization-options.ts';

/** `given` are the names of the settings that somebody has set. Throws a `UsageError`. */
export function checkAuthorizationFlags(settings: AuthorizationSettings, given: readonly string[]): void {
  const { authorizationConfig, authorizationMode, authorizationWebhookConfigFile: webhook } = settings;
  const other = given.find((name) => name === 'authorizationMode' || name.startsWith('authorizationWebhook'));
  if (authorizationConfig !== undefined) {
    if (other === undefined) return;
    throw new UsageError(
      `--${optionName(other)} must not be given with --authorization-config: name the authorizers in that file`,
    );
  }
  const hasWebhook = authorizationMode.includes('Webhook');
  if (hasWebhook && webhook === undefined) {
    throw new UsageError('--authorization-webhook-config-file must be given with --authorization-mode Webhook');
  }
  if (!hasWebhook && webhook !== undefined) {
    throw new UsageError('--authorization-webhook-config-file must go with --authorization-mode Webhook');
  }
}
