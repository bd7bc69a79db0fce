/** Reviews as an API server sends them, and a log that can be read. */

import { type ApiObject, type Resource, resource } from '@listwatch/api';
import type { Logger, LogLine } from '@listwatch/runtime';

export interface Backup extends ApiObject {
  readonly spec: {
    readonly retention?: number;
    readonly keep?: boolean;
    readonly paths: readonly string[];
  };
}

export const backups: Resource<Backup> = resource<Backup>({
  group: 'example.com',
  version: 'v1',
  plural: 'backups',
  kind: 'Backup',
  namespaced: true,
});

export interface SentReview {
  readonly kind: 'AdmissionReview';
  readonly apiVersion: string;
  readonly request: Readonly<Record<string, unknown>>;
}

const OPTIONS = { CREATE: 'CreateOptions', UPDATE: 'UpdateOptions', DELETE: 'DeleteOptions' };

export function reviewOf(operation: keyof typeof OPTIONS, spec: object): SentReview {
  const metadata = { name: 'a', namespace: 'default' };
  const object = { apiVersion: 'example.com/v1', kind: 'Backup', metadata, spec: { paths: [], ...spec } };
  const named = { group: 'example.com', version: 'v1' };
  return {
    kind: 'AdmissionReview',
    apiVersion: 'admission.k8s.io/v1',
    request: {
      uid: 'u-1',
      kind: { ...named, kind: 'Backup' },
      resource: { ...named, resource: 'backups' },
      requestKind: { ...named, kind: 'Backup' },
      requestResource: { ...named, resource: 'backups' },
      name: 'a',
      namespace: 'default',
      operation,
      userInfo: { username: 'jane', groups: ['devs'], extra: { scope: ['a', 'b'] } },
      object: operation === 'DELETE' ? null : object,
      oldObject: operation === 'CREATE' ? null : object,
      dryRun: false,
      options: { kind: OPTIONS[operation], apiVersion: 'meta.k8s.io/v1' },
    },
  };
}

export interface RecordedLine extends Readonly<Record<string, unknown>> {
  readonly level: keyof Logger;
  readonly message: string;
}

/** Keeps what is above `debug`. */
export function recordingLogger(): { readonly logger: Logger; readonly lines: readonly RecordedLine[] } {
  const lines: RecordedLine[] = [];
  const line = (level: keyof Logger): LogLine => {
    return (facts, message) => void lines.push({ ...facts, level, message });
  };
  return { logger: { debug: () => {}, info: line('info'), warn: line('warn'), error: line('error') }, lines };
}
