/** A service account as options name it. */

import { UsageError } from '../usage-error.ts';

/** NAMESPACE/NAME. */
export interface ServiceAccountName {
  readonly namespace: string;
  readonly name: string;
}

const FORM = /^([a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?)\/([a-z0-9](?:[-.a-z0-9]{0,251}[a-z0-9])?)$/u;

/** Throws a `UsageError` for any other form. */
export function parseServiceAccount(text: string): ServiceAccountName {
  const [, namespace, name] = FORM.exec(text) ?? [];
  if (namespace === undefined || name === undefined) {
    throw new UsageError(`--service-account must be NAMESPACE/NAME such as shop/robot, got ${JSON.stringify(text)}`);
  }
  return { namespace, name };
}
