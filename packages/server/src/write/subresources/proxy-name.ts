/** The name in a proxy path: `name`, `name:port` or `scheme:name:port`. */

import { badRequest } from '@listwatch/api';

/** The parsed name. */
export interface ProxyName {
  /** `''` when none is named. */
  readonly scheme: string;
  readonly name: string;
  /** `''` when none is named. */
  readonly port: string;
}

const SCHEMES = ['', 'http', 'https'];

/** Parses it. Throws the 400 for anything else; `kind` is what the message calls it. */
export function parseProxyName(kind: 'node' | 'pod' | 'service', text: string): ProxyName {
  const parts = text.split(':');
  const [scheme = '', name = '', port = ''] = parts.length === 3 ? parts : ['', ...parts];
  if (parts.length > 3 || !SCHEMES.includes(scheme) || name === '') {
    throw badRequest(`invalid ${kind} request ${JSON.stringify(text)}`);
  }
  return { scheme, name, port };
}
