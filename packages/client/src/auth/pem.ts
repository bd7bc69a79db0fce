/** PEM that stands in a kubeconfig as base64, or in a file of its own. */

import { ConfigError } from './config-error.ts';
import { readConfigText } from './read-config-file.ts';
import type { YamlNode } from './yaml-node.ts';

/** A source of PEM. It is read again each time: files rotate. */
export type PemSource = () => Promise<string>;

/** `<key>-data` before `<key>`, as kubectl has it; undefined when neither is there. */
export function pemSource(node: YamlNode, key: string): PemSource | undefined {
  const data = node.get(`${key}-data`);
  const encoded = node.text(`${key}-data`);
  if (data !== undefined && encoded !== undefined) {
    const pem = Buffer.from(encoded, 'base64').toString('latin1');
    if (!pem.includes('-----BEGIN ')) throw data.invalid('is not PEM in base64');
    return async () => pem;
  }
  const file = node.path(key);
  if (file === undefined) return undefined;
  return async () => {
    const pem = await readConfigText(file, `${node.get(key)?.place ?? node.file}: the ${key}`);
    if (!pem.includes('-----BEGIN ')) throw new ConfigError('FILE_INVALID', `${file} (the ${key}) is not PEM`);
    return pem;
  };
}
