/** The kubeconfig of a test server. */

import { dump } from 'js-yaml';

/** What it is made of. */
export interface TestKubeconfigParts {
  readonly server: string;
  /** PEM. */
  readonly ca: string;
  readonly token: string;
}

const NAME = 'listwatch-testing';

/** A kubeconfig with everything in it: write it to a file, or give the text to a client. */
export function testKubeconfigText({ server, ca, token }: TestKubeconfigParts): string {
  return dump(
    {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: NAME, cluster: { server, 'certificate-authority-data': Buffer.from(ca).toString('base64') } }],
      users: [{ name: NAME, user: { token } }],
      contexts: [{ name: NAME, context: { cluster: NAME, user: NAME, namespace: 'default' } }],
      'current-context': NAME,
    },
    { lineWidth: -1 },
  );
}
