/** The kinds that a CustomResourceDefinition defines, for a server that only reads them: their objects come as they are shown. */

import { createHash } from 'node:crypto';
import { EMBEDDED_METADATA, type KubeObject } from '@listwatch/rules/internal';
import { CustomSchema } from '@listwatch/schema';
import { encodeJson } from '../../stored/exact-json.ts';
import type { ReadKind } from '../read-kind.ts';
import { compareVersions } from '../version-order.ts';
import { readDefinition } from './custom-definition.ts';
import { customKinds } from './custom-versions.ts';

/** A definition as a reader of another server needs it. */
export interface DefinedKinds {
  /** Is there an answer to requests for its objects? */
  readonly isServed: boolean;
  /** Equal for two states of a definition between which its server shows every object in the same way. */
  readonly fingerprint: string;
  /** The versions that are served, in the order of discovery. */
  readonly versions: readonly DefinedVersion[];
}

export interface DefinedVersion {
  readonly kind: ReadKind;
  /** The warning that its answers carry; undefined: none. */
  readonly deprecation: string | undefined;
}

/** Reads a definition. Undefined: it is broken. */
export function definedKinds(object: KubeObject): DefinedKinds | undefined {
  const definition = readDefinition(object);
  if (definition === undefined) return undefined;
  const { uid, accepted, isServed } = definition;
  // A deletion that waits for finalizers is another generation, and shows the same objects.
  const hash = createHash('sha256').update(encodeJson([uid, object['spec'], accepted]));
  // Before it is served it has no names.
  const kinds = !isServed ? [] : customKinds(definition, { schemaOf, since: 0n, isTerminating: () => false });
  const versions = kinds
    .toSorted((left, right) => compareVersions(left.resource.version, right.resource.version))
    .map((kind) => ({ kind: readKind(kind), deprecation: kind.deprecation }));
  return { isServed, fingerprint: hash.digest('base64url'), versions };
}

/** Nothing is decoded by it. */
function schemaOf(): CustomSchema {
  return new CustomSchema(() => undefined, EMBEDDED_METADATA);
}

/** Without its stored form: what another server shows has all its defaults, and nothing to prune. */
function readKind({
  resource,
  data,
  columns,
  fieldsOf,
  resolveField,
  subresources,
  storagePrefix,
  custom,
}: ReturnType<typeof customKinds>[number]): ReadKind {
  const listKind = custom?.listKind ?? `${resource.kind}List`;
  return {
    resource,
    data,
    columns,
    fieldsOf,
    resolveField,
    subresources,
    storagePrefix,
    custom: { listKind, since: 0n },
  };
}
