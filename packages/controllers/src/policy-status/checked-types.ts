/** Finds the types that the expressions of a policy are checked against. */

import { type JsonRecord, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import type { Cluster } from '@listwatch/client';
import { KIND_TABLE } from '@listwatch/kinds/data';
import { BUILT_IN_SCHEMAS } from '@listwatch/kinds/schemas';
import {
  CHECKED_KINDS_MAX,
  type CheckedKind,
  type CheckedType,
  checkedResources,
  METADATA_TYPE,
  type PolicyResource,
} from '@listwatch/rules/internal';
import { publishedType, SchemaTypes } from '@listwatch/schema';

/** A kind by its coordinates. */
interface Kind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** The types of one server: built-in kinds are known, those of others are read from discovery and OpenAPI. */
export class CheckedTypes {
  readonly #cluster: Pick<Cluster, 'raw'>;
  readonly #signal: AbortSignal;
  readonly #builtIn = new SchemaTypes(BUILT_IN_SCHEMAS.set);

  constructor(cluster: Pick<Cluster, 'raw'>, signal: AbortSignal) {
    this.#cluster = cluster;
    this.#signal = signal;
  }

  /** The kinds that a policy is about, in the order of Kubernetes. */
  async kinds(spec: JsonRecord): Promise<readonly CheckedKind[]> {
    const found = new Map<string, Kind>();
    for (const resource of checkedResources(spec)) {
      if (found.size >= CHECKED_KINDS_MAX) break;
      const kind = await this.#kindOf(resource);
      if (kind !== undefined) found.set(kindText(kind), kind);
    }
    const checked: CheckedKind[] = [];
    for (const kind of [...found.values()].toSorted(compareKinds)) {
      const type = await this.#typeOf(kind);
      if (type !== undefined) checked.push({ ...type, text: kindText(kind) });
    }
    return checked;
  }

  /** The type of the parameters; undefined without a kind, and when nothing is known of it. */
  async params(spec: JsonRecord): Promise<CheckedType | undefined> {
    const { apiVersion, kind } = recordOf(spec['paramKind']);
    const [version = '', group = ''] = textOf(apiVersion).split('/').toReversed();
    return version === '' ? undefined : this.#typeOf({ group, version, kind: textOf(kind) });
  }

  async #kindOf({ group, version, plural }: PolicyResource): Promise<Kind | undefined> {
    const data = KIND_TABLE.find((one) => one.plural === plural && one.group === group && one.version === version);
    if (data !== undefined) return { group, version, kind: data.kind };
    if (group === '') return undefined;
    const found = await this.#document(`/apis/${segment(group)}/${segment(version)}`);
    const resource = recordsOf(found?.['resources']).find(({ name }) => name === plural);
    return resource && { group, version, kind: textOf(resource['kind']) };
  }

  async #typeOf(kind: Kind): Promise<CheckedType | undefined> {
    const data = KIND_TABLE.find(
      (one) => one.kind === kind.kind && one.group === kind.group && one.version === kind.version,
    );
    if (data !== undefined) {
      await BUILT_IN_SCHEMAS.load(data.type);
      return { type: this.#builtIn.type(data.type), objectTypes: this.#builtIn };
    }
    const { group, version } = kind;
    if (group === '') return undefined;
    const document = await this.#document(`/openapi/v3/apis/${segment(group)}/${segment(version)}`);
    const schemas = recordOf(recordOf(document?.['components'])['schemas']);
    const schema = Object.values(schemas)
      .map(recordOf)
      .find((one) => isSchemaOf(one, kind));
    await BUILT_IN_SCHEMAS.load(METADATA_TYPE);
    const published =
      schema && publishedType(schema, `${kind.group}/${kind.version}.${kind.kind}`, this.#builtIn.type(METADATA_TYPE));
    if (published === undefined) return undefined;
    const { type, objectTypes } = published;
    return { type, objectTypes: { fields: (name) => objectTypes.fields(name) ?? this.#builtIn.fields(name) } };
  }

  async #document(path: string): Promise<JsonRecord | undefined> {
    const answer = await this.#cluster.raw(path, { signal: this.#signal });
    if (answer.ok) return answer.json();
    await answer.close();
    return undefined;
  }
}

function segment(name: string): string {
  return encodeURIComponent(name);
}

function isSchemaOf(schema: JsonRecord, { group, version, kind }: Kind): boolean {
  return recordsOf(schema['x-kubernetes-group-version-kind']).some(
    (one) => one['group'] === group && one['version'] === version && one['kind'] === kind,
  );
}

/** A kind as Go prints it: of the core group `/v1, Kind=Pod`. */
function kindText({ group, version, kind }: Kind): string {
  return `${group}/${version}, Kind=${kind}`;
}

function compareKinds(left: Kind, right: Kind): number {
  return (
    compareTexts(left.group, right.group) ||
    compareTexts(left.version, right.version) ||
    compareTexts(left.kind, right.kind)
  );
}

function compareTexts(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
