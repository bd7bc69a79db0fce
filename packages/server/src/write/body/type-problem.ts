/** Checks that a document's kind and apiVersion are those that the endpoint serves. */

import { apiVersionMismatch, apiVersionOf, quote } from '@listwatch/api';
import { quoteCut } from '@listwatch/api/internal';
import { type JsonRecord, jsonType, textOf } from '@listwatch/api/values';
import type { ServedKinds } from '../../contract/verb.ts';
import type { ResourceDefinition } from '../../kinds/resource-definition.ts';
import type { BodySchemaOf } from './request-body.ts';

/** The type that a document names. Parts that it leaves out default to the endpoint's. */
export interface DocumentType {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

const SCHEME = 'pkg/api/legacyscheme/scheme.go:30';
/** How much of a kind or an apiVersion a message shows: characters. */
const SHOWN_MAX = 1024;

const TYPE_META =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/** Why kind and apiVersion cannot be read from a value; undefined if they can. */
export function typeMetaProblem(value: unknown): string | undefined {
  if (value === null) return undefined;
  if (typeof value !== 'object' || Array.isArray(value)) {
    return `json: cannot unmarshal ${jsonType(value)} into Go value of type ${TYPE_META}`;
  }
  for (const [field, member] of Object.entries(value)) {
    const wrong = member !== null && typeof member !== 'string';
    if ((field === 'apiVersion' || field === 'kind') && wrong) {
      return `json: cannot unmarshal ${jsonType(member)} into Go struct field .${field} of type string`;
    }
  }
  return undefined;
}

/** The type of a document that has passed `typeMetaProblem`; undefined if its apiVersion is malformed. */
export function documentType(document: JsonRecord, { resource }: ResourceDefinition): DocumentType | undefined {
  const kind = textOf(document['kind']) || resource.kind;
  const apiVersion = textOf(document['apiVersion']);
  if (apiVersion === '' || apiVersion === '/') return { group: resource.group, version: resource.version, kind };
  // The only kind that kube-apiserver accepts in a version that it no longer serves: old kubectl versions send it.
  if (apiVersion === 'policy/v1beta1' && kind === 'Eviction' && resource.kind === kind) return { ...resource, kind };
  const parts = apiVersion.split('/');
  if (parts.length > 2) return undefined;
  return { group: parts.length === 2 ? (parts[0] ?? '') : '', version: parts.at(-1) ?? '', kind };
}

/**
 * Finds schemas for protobuf bodies sent to an endpoint. Other kinds are decoded too, so that the error can name them: load
 * the schemas of the kind that the body names before.
 */
export function schemasAt(kinds: Pick<ServedKinds, 'find'>, definition: ResourceDefinition): BodySchemaOf {
  return (typeMeta) => {
    const type = documentType({ ...typeMeta }, definition);
    const named = type === undefined || isOf(type, definition) ? definition : definitionOfKind(kinds, type);
    return named && { type: named.data.type, schemas: named.schemas };
  };
}

/**
 * Loads the schemas of the kind that a document names; undefined if they are loaded or it is the kind of the endpoint.
 */
export function loadNamedKind(
  kinds: Pick<ServedKinds, 'find'>,
  typeMeta: JsonRecord,
  definition: ResourceDefinition,
): Promise<void> | undefined {
  const type = documentType(typeMeta, definition);
  return type === undefined || isOf(type, definition) ? undefined : definitionOfKind(kinds, type)?.load();
}

/** Why a document has the wrong type for the endpoint; undefined if it has the right one. */
export function typeProblem(
  kinds: Pick<ServedKinds, 'find'>,
  document: JsonRecord,
  type: DocumentType,
  definition: ResourceDefinition,
): string | undefined {
  if (isOf(type, definition)) return undefined;
  const { version, kind } = type;
  const { resource } = definition;
  const other = definitionOfKind(kinds, type);
  if (other === undefined) {
    const apiVersion = quoteCut(apiVersionOf(type), SHOWN_MAX);
    return `no kind ${quoteCut(kind, SHOWN_MAX)} is registered for version ${apiVersion} in scheme ${quote(SCHEME)}`;
  }
  // A patch cannot wait for a load here: skip the check when the schemas of the other kind are not loaded.
  const problem = other.load() === undefined ? other.decodeProblem(document) : undefined;
  if (problem !== undefined) return problem;
  // The same kind in another version can be converted, but kube-apiserver refuses it here.
  if (kind === resource.kind) throw apiVersionMismatch(apiVersionOf(type), apiVersionOf(resource));
  return `converting (${version}.${kind}) to (${resource.group.split('.', 1)[0] || 'core'}.${resource.kind}): unknown conversion`;
}

function isOf({ group, version, kind }: DocumentType, { resource }: ResourceDefinition): boolean {
  return kind === resource.kind && group === resource.group && version === resource.version;
}

/** Finds a kind. Definitions are looked up by plural, so this tries the English plural forms. */
function definitionOfKind(
  kinds: Pick<ServedKinds, 'find'>,
  { group, version, kind }: DocumentType,
): ResourceDefinition | undefined {
  const singular = kind.toLowerCase();
  return [`${singular}s`, `${singular}es`, singular.replace(/y$/, 'ies'), singular]
    .map((plural) => kinds.find(group, version, plural))
    .find((definition) => definition?.resource.kind === kind);
}
