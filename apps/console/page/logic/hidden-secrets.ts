/** Hides the values of Secrets until somebody asks for them. */

import { isRecord } from '@listwatch/api/values';

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** Does an object have values to hide? */
export function hasSecretValues(object: unknown): boolean {
  return isRecord(object) && object['kind'] === 'Secret' && (object['apiVersion'] ?? 'v1') === 'v1';
}

/** The object without its secret values; any object but a Secret is returned as it is. */
export function withoutSecretValues<T>(object: T): T {
  if (!isRecord(object) || !hasSecretValues(object)) return object;
  const hidden: Record<string, unknown> = { ...object };
  for (const name of ['data', 'stringData']) {
    const values = object[name];
    if (isRecord(values))
      hidden[name] = Object.fromEntries(Object.keys(values).map((key) => [key, dots(values[key], name)]));
  }
  const { metadata } = object;
  if (isRecord(metadata) && isRecord(metadata['annotations']) && LAST_APPLIED in metadata['annotations']) {
    // kubectl apply keeps a copy of all values here.
    hidden['metadata'] = { ...metadata, annotations: { ...metadata['annotations'], [LAST_APPLIED]: '••••••' } };
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- texts in place of texts
  return hidden as T;
}

function dots(value: unknown, place: string): string {
  const text = String(value);
  const bytes = place === 'data' ? Math.floor((text.replace(/=+$/u, '').length * 3) / 4) : text.length;
  return `•••••• (${bytes} bytes)`;
}
