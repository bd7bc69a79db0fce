/** What the cases write: Secrets, for nobody else makes any in a new namespace, so that counts are exact on a real cluster. */

import { type ApiObject, type Resource, resource } from '@listwatch/api';

export interface TestSecret extends ApiObject {
  /** Base64. */
  readonly data?: Readonly<Record<string, string>>;
}

export const testSecrets: Resource<TestSecret> = resource<TestSecret>({
  version: 'v1',
  plural: 'secrets',
  kind: 'Secret',
  namespaced: true,
});

export const testNamespaces: Resource = resource({
  version: 'v1',
  plural: 'namespaces',
  kind: 'Namespace',
  namespaced: false,
});

/** What is in a Secret of a test. */
export interface SecretContent {
  /** The one value that it holds. Default: `1`. */
  readonly value?: string | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Default: that of the case. */
  readonly namespace?: string | undefined;
}

export function secretData(value: string): Readonly<Record<string, string>> {
  return { value: Buffer.from(value).toString('base64') };
}

/** The value that a Secret of a test holds. */
export function secretValue({ data = {} }: TestSecret): string {
  return Buffer.from(data['value'] ?? '', 'base64').toString();
}

/** `name=value@version`, sorted: two caches with the same text hold the same. */
export function stateText(objects: Iterable<TestSecret>): readonly string[] {
  return Array.from(objects, (object) => {
    const { namespace, name, resourceVersion } = object.metadata;
    return `${namespace}/${name}=${secretValue(object)}@${resourceVersion}`;
  }).toSorted();
}
