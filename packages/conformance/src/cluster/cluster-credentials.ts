/** How a client proves who it is: what a server writes into its kubeconfig. */

import { readFileSync } from 'node:fs';

export interface ClusterCredentials {
  readonly caData: string;
  readonly certData: string;
  readonly keyData: string;
}

/** The same with a token: a client certificate does not pass through a relay. */
export type TokenCredentials = Pick<ClusterCredentials, 'caData'> & { readonly token: string };

/** Reads the kubeconfig of a server. */
export function readCredentials(kubeconfig: string): ClusterCredentials {
  const text = readFileSync(kubeconfig, 'utf8');
  const field = (name: string): string => {
    const found = new RegExp(`"?${name}"?: "?([A-Za-z0-9+/=]+)`, 'u').exec(text)?.[1];
    if (found === undefined) throw new Error(`${kubeconfig} has no ${name}`);
    return Buffer.from(found, 'base64').toString();
  };
  return {
    caData: field('certificate-authority-data'),
    certData: field('client-certificate-data'),
    keyData: field('client-key-data'),
  };
}
