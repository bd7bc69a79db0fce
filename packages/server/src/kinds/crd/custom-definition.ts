/** A CustomResourceDefinition as the server uses it. */

import { createHash } from 'node:crypto';
import {
  isRecord,
  type JsonRecord,
  listOf,
  numberOf,
  recordOf,
  recordsOf,
  sameJson,
  textOf,
} from '@listwatch/api/values';
import type { KubeObject } from '@listwatch/rules/internal';
import type { PrinterColumn, ScalePaths } from '@listwatch/schema';
import { encodeJson } from '../../stored/exact-json.ts';
import { compareVersions } from '../version-order.ts';

/** The names of a custom kind. */
export interface CustomNames {
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly listKind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
}

/** One version of a custom kind, without its schema: that is read on first use. */
export interface CustomVersion {
  readonly name: string;
  readonly isServed: boolean;
  /** The `Warning` of every answer; undefined: the version is not deprecated. */
  readonly deprecation: string | undefined;
  readonly hasStatus: boolean;
  readonly scale: ScalePaths | undefined;
  readonly columns: readonly PrinterColumn[];
  readonly selectableFields: readonly { readonly jsonPath: string }[];
}

/** Where a webhook is. */
export interface ConversionTarget {
  readonly url: string | undefined;
  readonly service:
    | { readonly namespace: string; readonly name: string; readonly path: string; readonly port: number }
    | undefined;
  /** Base64 of PEM. `''`: the certificates that the system trusts. */
  readonly caBundle: string;
  readonly reviewVersions: readonly string[];
}

/** A definition. */
export interface CustomDefinition {
  /** `widgets.example.com`. */
  readonly name: string;
  readonly uid: string;
  readonly group: string;
  readonly isNamespaced: boolean;
  /** The names that clients use: `status.acceptedNames`. */
  readonly accepted: CustomNames;
  readonly versions: readonly CustomVersion[];
  readonly storageVersion: string;
  /** Undefined: objects of all versions differ in their apiVersion alone. */
  readonly webhook: ConversionTarget | undefined;
  /** Equal for two states of a definition that serve the same kinds. */
  readonly fingerprint: string;
  /** All names of the spec are accepted. */
  readonly hasNames: boolean;
  readonly isEstablished: boolean;
  /** Requests are answered: the names were accepted, now or before. */
  readonly isServed: boolean;
  readonly isTerminating: boolean;
}

/** Reads a definition. Undefined for one that is too broken to be served: other programs may write to the store. */
export function readDefinition(object: KubeObject): CustomDefinition | undefined {
  const spec = recordOf(object['spec']);
  const status = recordOf(object['status']);
  const group = textOf(spec['group']);
  const accepted = namesOf(recordOf(status['acceptedNames']));
  const versions = recordsOf(spec['versions']);
  const storageVersion = textOf(versions.find((version) => version['storage'] === true)?.['name']);
  if (group === '' || textOf(recordOf(spec['names'])['plural']) === '' || storageVersion === '') return undefined;
  const isEstablished = hasCondition(status, 'Established');
  return {
    name: object.metadata.name ?? '',
    uid: object.metadata.uid ?? '',
    group,
    isNamespaced: spec['scope'] === 'Namespaced',
    accepted,
    versions: versions.map((version) => readVersion(version, versions, group, textOf(recordOf(spec['names'])['kind']))),
    storageVersion,
    webhook: readWebhook(recordOf(spec['conversion'])),
    fingerprint: fingerprintOf(object, accepted),
    hasNames: sameJson(namesOf(recordOf(spec['names'])), accepted),
    isEstablished,
    isServed: isEstablished || hasCondition(status, 'NamesAccepted'),
    isTerminating: hasCondition(status, 'Terminating'),
  };
}

/** Uses the generation instead of a hash of the spec, which would cost as much as parsing it. */
function fingerprintOf({ metadata, spec }: KubeObject, accepted: CustomNames): string {
  const { uid = '', generation = 0 } = metadata;
  if (generation > 0) return `${uid} ${generation} ${JSON.stringify(accepted)}`;
  return createHash('sha256')
    .update(encodeJson([spec, accepted]))
    .digest('base64');
}

/** The schema of a version of a definition; undefined when it has none. */
export function definitionSchema(object: JsonRecord, version: string): JsonRecord | undefined {
  const found = recordsOf(recordOf(object['spec'])['versions']).find(({ name }) => name === version);
  const schema = recordOf(found?.['schema'])['openAPIV3Schema'];
  return isRecord(schema) ? schema : undefined;
}

/** Is a condition of the status `True`? */
export function hasCondition(status: JsonRecord, type: string): boolean {
  return recordsOf(status['conditions']).some((one) => one['type'] === type && one['status'] === 'True');
}

/** Names as `spec.names` and `status.acceptedNames` have them. */
export function namesOf(names: JsonRecord): CustomNames {
  return {
    plural: textOf(names['plural']),
    singular: textOf(names['singular']),
    kind: textOf(names['kind']),
    listKind: textOf(names['listKind']),
    shortNames: textsOf(names['shortNames']),
    categories: textsOf(names['categories']),
  };
}

function textsOf(value: unknown): readonly string[] {
  return listOf(value).map(textOf);
}

function readVersion(version: JsonRecord, all: readonly JsonRecord[], group: string, kind: string): CustomVersion {
  const name = textOf(version['name']);
  const subresources = recordOf(version['subresources']);
  return {
    name,
    isServed: version['served'] === true,
    deprecation: version['deprecated'] === true ? deprecationOf(version, all, `${group}/`, kind) : undefined,
    hasStatus: isRecord(subresources['status']),
    scale: isRecord(subresources['scale']) ? scaleOf(subresources['scale']) : undefined,
    columns: recordsOf(version['additionalPrinterColumns']).map(columnOf),
    selectableFields: recordsOf(version['selectableFields']).map((field) => ({ jsonPath: textOf(field['jsonPath']) })),
  };
}

/** The warning of a deprecated version: its own, or which version to use instead. */
function deprecationOf(version: JsonRecord, all: readonly JsonRecord[], prefix: string, kind: string): string {
  const own = version['deprecationWarning'];
  if (typeof own === 'string') return own;
  const name = textOf(version['name']);
  const [better] = all
    .filter((other) => other['served'] === true && other['deprecated'] !== true)
    .map((other) => textOf(other['name']))
    .filter((other) => compareVersions(other, name) < 0)
    .toSorted(compareVersions);
  const text = `${prefix}${name} ${kind} is deprecated`;
  return better === undefined ? text : `${text}; use ${prefix}${better} ${kind}`;
}

function scaleOf(scale: JsonRecord): ScalePaths {
  const labelSelectorPath = textOf(scale['labelSelectorPath']);
  return {
    specReplicasPath: textOf(scale['specReplicasPath']),
    statusReplicasPath: textOf(scale['statusReplicasPath']),
    ...(labelSelectorPath === '' ? {} : { labelSelectorPath }),
  };
}

function columnOf(column: JsonRecord): PrinterColumn {
  return {
    name: textOf(column['name']),
    type: textOf(column['type']),
    jsonPath: textOf(column['jsonPath']),
    format: textOf(column['format']),
    description: textOf(column['description']),
    priority: numberOf(column['priority']),
  };
}

function readWebhook(conversion: JsonRecord): ConversionTarget | undefined {
  if (conversion['strategy'] !== 'Webhook') return undefined;
  const webhook = recordOf(conversion['webhook']);
  const config = recordOf(webhook['clientConfig']);
  const service = config['service'];
  return {
    url: typeof config['url'] === 'string' ? config['url'] : undefined,
    service: isRecord(service)
      ? {
          namespace: textOf(service['namespace']),
          name: textOf(service['name']),
          path: textOf(service['path']),
          port: numberOf(service['port']) || 443,
        }
      : undefined,
    caBundle: textOf(config['caBundle']),
    reviewVersions: textsOf(webhook['conversionReviewVersions']),
  };
}
