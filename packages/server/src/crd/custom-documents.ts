/** The OpenAPI documents of custom kinds. */

import { createHash } from 'node:crypto';
import type { CustomDocument } from '../openapi/document-plan.ts';
import type { CustomKinds, KnownCustomKind } from './custom-kinds.ts';

/** Builds the documents on the first request after a change. */
export class CustomDocuments {
  readonly #kinds: Pick<CustomKinds, 'all'>;
  #made: ReadonlyMap<string, CustomDocument> | undefined;

  constructor(kinds: Pick<CustomKinds, 'all'>) {
    this.#kinds = kinds;
  }

  /** By the group and version: `apis/example.com/v1`. The same map until the next change. */
  get current(): ReadonlyMap<string, CustomDocument> {
    this.#made ??= documentsOf(this.#kinds.all.values());
    return this.#made;
  }

  /** A definition has changed. */
  changed(): void {
    this.#made = undefined;
  }
}

function documentsOf(kinds: Iterable<KnownCustomKind>): ReadonlyMap<string, CustomDocument> {
  const found = new Map<string, { fingerprints: string[]; kinds: CustomDocument['kinds'][number][] }>();
  for (const custom of kinds) {
    if (!custom.definition.isEstablished) continue;
    for (const { data, custom: parts } of custom.kinds) {
      const name = `apis/${data.group}/${data.version}`;
      const document = found.get(name) ?? { fingerprints: [], kinds: [] };
      found.set(name, document);
      document.fingerprints.push(custom.definition.fingerprint);
      document.kinds.push({ data, listKind: parts?.listKind ?? '', definition: () => custom.bytes });
    }
  }
  return new Map(
    [...found].map(([name, document]) => [name, { hash: hashOf(document.fingerprints), kinds: document.kinds }]),
  );
}

/** As long as the hash of a document. */
function hashOf(fingerprints: readonly string[]): string {
  return createHash('sha512').update(fingerprints.toSorted().join(' ')).digest('hex').toUpperCase();
}
