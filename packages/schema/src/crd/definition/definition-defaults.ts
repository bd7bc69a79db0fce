/** Defaults of a CustomResourceDefinition, and the fields that each write sets. */

import { isRecord, type JsonRecord } from '@listwatch/api/values';
import { recordAt, recordsAt, textAt, textsAt } from './definition-view.ts';

/** The definition with the defaults: singular, listKind, conversion, the port of a webhook's service, storedVersions. */
export function defaultDefinition<T extends JsonRecord>(definition: T): T {
  const spec = recordAt(definition, 'spec') ?? {};
  const names = recordAt(spec, 'names') ?? {};
  const filled = {
    ...definition,
    spec: { ...spec, names: defaultNames(names), conversion: defaultConversion(recordAt(spec, 'conversion')) },
  };
  const status = recordAt(definition, 'status') ?? {};
  return textsAt(status, 'storedVersions').length > 0 ? filled : withStorageVersion(filled);
}

/** `status.storedVersions` of a definition with its storage version at the end, unless it is in it. */
export function withStorageVersion<T extends JsonRecord>(definition: T): T {
  const versions = recordsAt(recordAt(definition, 'spec') ?? {}, 'versions');
  const storage = versions.find((version) => version['storage'] === true);
  const status = recordAt(definition, 'status') ?? {};
  const stored = textsAt(status, 'storedVersions');
  const name = storage === undefined ? '' : textAt(storage, 'name');
  if (storage === undefined || stored.includes(name)) return definition;
  return { ...definition, status: { ...status, storedVersions: [...stored, name] } };
}

function defaultNames(names: JsonRecord): JsonRecord {
  const kind = textAt(names, 'kind');
  return {
    ...names,
    ...(textAt(names, 'singular') === '' && kind !== '' ? { singular: kind.toLowerCase() } : {}),
    ...(textAt(names, 'listKind') === '' && kind !== '' ? { listKind: `${kind}List` } : {}),
  };
}

function defaultConversion(conversion: JsonRecord | undefined): JsonRecord {
  if (conversion === undefined) return { strategy: 'None' };
  const webhook = recordAt(conversion, 'webhook');
  const client = webhook === undefined ? undefined : recordAt(webhook, 'clientConfig');
  const service = client === undefined ? undefined : recordAt(client, 'service');
  if (service === undefined || (service['port'] ?? undefined) !== undefined || !isRecord(webhook)) return conversion;
  return { ...conversion, webhook: { ...webhook, clientConfig: { ...client, service: { ...service, port: 443 } } } };
}
