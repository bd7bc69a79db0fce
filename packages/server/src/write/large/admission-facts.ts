/** Fetches the objects of other kinds that plugins read, before they run. */

import { isRecord, listOf, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import type { KubeObject, ObjectLookup, ObjectReader } from '@listwatch/rules/internal';
import type { TypeName } from '@listwatch/schema';
import type { NamedObject, WriteQuestion } from '../../contract/large-work.ts';
import { decodeJson } from '../../stored/exact-json.ts';

type CachedQuestion = Extract<WriteQuestion, { readonly type: 'cached' }>;

const NAMESPACE = 'core/v1.Namespace';
const NODE = 'core/v1.Node';
const LIMIT_RANGE = 'core/v1.LimitRange';
const OF_TEMPLATES: readonly TypeName[] = [NAMESPACE];

/** The kinds that the plugins read for an object of a kind. A plugin that reads another one fails: see `reader`. */
const READ: Readonly<Record<TypeName, readonly TypeName[]>> = {
  'apps/v1.DaemonSet': OF_TEMPLATES,
  'apps/v1.Deployment': OF_TEMPLATES,
  'apps/v1.ReplicaSet': OF_TEMPLATES,
  'apps/v1.StatefulSet': OF_TEMPLATES,
  'batch/v1.CronJob': OF_TEMPLATES,
  'batch/v1.Job': OF_TEMPLATES,
  'core/v1.PersistentVolumeClaim': [LIMIT_RANGE, 'storage/v1.StorageClass'],
  'core/v1.Pod': [NAMESPACE, NODE, LIMIT_RANGE, 'scheduling/v1.PriorityClass', 'node/v1.RuntimeClass'],
  'core/v1.PodTemplate': OF_TEMPLATES,
  'core/v1.ReplicationController': OF_TEMPLATES,
  'networking/v1.Ingress': ['networking/v1.IngressClass'],
  'scheduling/v1.PriorityClass': ['scheduling/v1.PriorityClass'],
};

/** The objects of one attempt. */
export class AdmissionFacts {
  readonly #lists = new Map<TypeName, readonly KubeObject[]>();
  readonly #objects = new Map<TypeName, Map<string, KubeObject | undefined>>();
  #isRead = false;

  /** The question for the main thread; undefined when there is none, or when it was answered before. */
  wanted(type: TypeName, object: KubeObject): CachedQuestion | undefined {
    const read = this.#isRead || !Object.hasOwn(READ, type) ? [] : (READ[type] ?? []);
    this.#isRead = true;
    if (read.length === 0) return undefined;
    const { namespace = '' } = object.metadata;
    const objects: NamedObject[] = [];
    const lists: Omit<NamedObject, 'name'>[] = [];
    for (const kind of read) {
      if (kind === NAMESPACE) objects.push({ type: kind, namespace: '', name: namespace });
      else if (kind === NODE)
        objects.push({ type: kind, namespace: '', name: textOf(recordOf(object['spec'])['nodeName']) });
      else lists.push({ type: kind, namespace: kind === LIMIT_RANGE ? namespace : '' });
    }
    return { type: 'cached', lists, objects };
  }

  add({ lists, objects }: CachedQuestion, bytes: Uint8Array): void {
    const found = recordOf(decodeJson(bytes));
    for (const [index, { type }] of lists.entries()) {
      this.#lists.set(type, recordsOf(listOf(found['lists'])[index]).map(objectOf));
    }
    for (const [index, { type, name }] of objects.entries()) {
      const object = listOf(found['objects'])[index];
      const known = this.#objects.get(type) ?? new Map<string, KubeObject | undefined>();
      this.#objects.set(type, known.set(name, isRecord(object) ? objectOf(object) : undefined));
    }
  }

  /** The objects of a kind. Throws a TypeError for a kind that was not asked for: it is missing in `READ`. */
  reader(type: TypeName): ObjectReader {
    return {
      get: (_namespace, name) => this.#find(type, name),
      list: () => this.#list(type),
    };
  }

  lookup(type: TypeName): ObjectLookup {
    return (_namespace, name) => this.#find(type, name);
  }

  #list(type: TypeName): readonly KubeObject[] {
    const list = this.#lists.get(type);
    if (list === undefined) throw new TypeError(`admission of a large object reads ${type}, which was not asked for`);
    return list;
  }

  #find(type: TypeName, name: string): KubeObject | undefined {
    const known = this.#objects.get(type);
    if (known === undefined) return this.#list(type).find(({ metadata }) => metadata.name === name);
    if (!known.has(name)) throw new TypeError(`admission of a large object reads the ${type} ${name}, not asked for`);
    return known.get(name);
  }
}

function objectOf(value: object): KubeObject {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the caches hold objects only
  return value as KubeObject;
}
