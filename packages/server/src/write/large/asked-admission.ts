/** Admission in the worker: the plugins run here, and ask the thread with the caches for the objects that they read. */

import { defined, recordOf } from '@listwatch/api/values';
import type { AdmissionRequest, KubeObject } from '@listwatch/rules/internal';
import { isCountedByParts } from '@listwatch/rules/usage';
import type { JobContext } from '../../compute/compute-job.ts';
import type { Admission, Allocation, HeldGuard } from '../../contract/admission.ts';
import type { AccessAttributes, AccessDecision } from '../../contract/authorization.ts';
import type { AdmittedWrite, DynamicRequest } from '../../contract/dynamic-admission.ts';
import type { WriteAnswers, WriteQuestion } from '../../contract/large-work.ts';
import type { ResourceCall } from '../../contract/verb.ts';
import { decodeJson, encodeJson } from '../../stored/exact-json.ts';
import { admissionChain, admissionPlugins, type PluginChain } from '../admission/admission-chain.ts';
import { mutateTwice } from '../admission/dynamic/dynamic-passes.ts';
import { AdmissionFacts } from './admission-facts.ts';

const NO_READS: Admission['reads'] = {
  cached: unexpected,
  namespace: unexpected,
  pods: unexpected,
  authorize: unexpected,
  granting: unexpected,
  hasQuotas: unexpected,
};

/** The admission of one attempt. */
export class AskedAdmission implements Admission {
  /** Unused: only the main thread answers reads. */
  readonly reads: Admission['reads'] = NO_READS;
  readonly #ask: JobContext['ask'];
  readonly #facts = new AdmissionFacts();
  readonly #chain: PluginChain;

  constructor(ask: JobContext['ask']) {
    this.#ask = ask;
    this.#chain = admissionChain(
      admissionPlugins({
        objects: (type) => this.#facts.reader(type),
        lookup: (type) => this.#facts.lookup(type),
        storedNamespace: (name) => this.#namespace(name),
        podsIn: (namespace) => this.#podsIn(namespace),
        authorizer: { authorize: (attributes) => this.#authorize(attributes) },
        granting: async (_, namespace, wanted) =>
          (await this.#question({ type: 'granting', namespace, wanted })).verdict,
      }),
    );
  }

  async requirePlace(_call: ResourceCall, { metadata }: KubeObject): Promise<readonly HeldGuard[]> {
    const { name, generateName } = metadata;
    await this.#question({ type: 'place', name, generateName });
    // The main thread commits, so it keeps the guards.
    return [];
  }

  async requireCreate(): Promise<void> {
    await this.#question({ type: 'may-create' });
  }

  async mutate(request: AdmissionRequest, viewOf: (() => AdmittedWrite) | undefined): Promise<KubeObject> {
    await this.#read(request);
    const object = await this.#chain.mutate(request);
    if (viewOf === undefined || !(await this.#isConcerned('mutating'))) return object;
    const write = viewOf();
    return mutateTwice(this.#chain, request, object, async (known, round) => {
      const asked = write.request(known);
      const answer = await this.#question({ type: 'mutate', round, ...objectsOf(asked) });
      return answer.object && write.taken(known, objectOf(decodeJson(answer.object)));
    });
  }

  async validate(request: AdmissionRequest, viewOf: (() => AdmittedWrite) | undefined): Promise<void> {
    await this.#read(request);
    await this.#chain.validate(request);
    if (viewOf === undefined || !(await this.#isConcerned('validating'))) return;
    await this.#question({ type: 'validate', ...objectsOf(viewOf().request(request.object)) });
  }

  /** Unused: only the main thread admits requests outside of the write stages. */
  admit: Admission['admit'] = unexpected;
  concerns: Admission['concerns'] = unexpected;
  mutateRound: Admission['mutateRound'] = unexpected;
  validateSteps: Admission['validateSteps'] = unexpected;

  async #isConcerned(pass: 'mutating' | 'validating'): Promise<boolean> {
    return (await this.#question({ type: 'concerns', pass })).isConcerned;
  }

  async allocate({ type, object, old }: AdmissionRequest): Promise<Allocation | undefined> {
    if (type !== 'core/v1.Service') return undefined;
    const asked = { object: bytesOf(networkOf(object)), old: old && bytesOf(networkOf(old)) };
    const answer = await this.#question({ type: 'allocate', ...asked });
    if (answer.object === undefined) return undefined;
    const { spec } = recordOf(decodeJson(answer.object));
    // The thread that commits has the claims and the reservation.
    return { object: { ...object, spec }, claims: [], release: () => undefined, publish: async () => undefined };
  }

  async removed(): Promise<void> {
    // The worker commits nothing.
  }

  async charge({ type, object, old, subresource }: AdmissionRequest): Promise<void> {
    const isWhole = isCountedByParts(type);
    if (!isWhole && (old !== undefined || subresource !== '')) return;
    const { namespace = '' } = object.metadata;
    const { hasQuotas } = await this.#question({ type: 'has-quotas', namespace });
    if (!hasQuotas) return;
    const part = isWhole ? (whole: KubeObject): KubeObject => whole : headOf;
    await this.#question({ type: 'charge', object: bytesOf(part(object)), old: old && bytesOf(part(old)) });
  }

  /** Fetches all cached objects that the plugins read, with one question. */
  async #read({ type, object }: AdmissionRequest): Promise<void> {
    const wanted = this.#facts.wanted(type, object);
    if (wanted !== undefined) this.#facts.add(wanted, (await this.#question(wanted)).found);
  }

  async #namespace(name: string): Promise<KubeObject | undefined> {
    const { found } = await this.#question({ type: 'namespace', name });
    return found && objectOf(decodeJson(found));
  }

  async *#podsIn(namespace: string): AsyncGenerator<KubeObject, undefined> {
    let after: string | undefined = '';
    while (after !== undefined) {
      const { found, next }: WriteAnswers['pods'] = await this.#question({ type: 'pods', namespace, after });
      const pods = decodeJson(found);
      if (Array.isArray(pods)) for (const pod of pods) yield objectOf(pod);
      after = next;
    }
  }

  async #authorize(attributes: AccessAttributes): Promise<AccessDecision> {
    return (await this.#question({ type: 'authorize', attributes })).decision;
  }

  async #question<Q extends WriteQuestion>(question: Q): Promise<WriteAnswers[Q['type']]> {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `answerQuestion` answers each type in its own way
    return (await this.#ask(question)) as WriteAnswers[Q['type']];
  }
}

function unexpected(): never {
  throw new TypeError('the worker has no caches');
}

function bytesOf(object: KubeObject): Uint8Array {
  return Buffer.from(encodeJson(object));
}

function objectsOf({ object, old }: DynamicRequest): { object: Uint8Array; old: Uint8Array | undefined } {
  if (object === undefined) throw new TypeError('a write has an object');
  return { object: bytesOf(object), old: old && bytesOf(old) };
}

/** What is counted by its name alone. */
function headOf({ apiVersion, kind, metadata: { name, namespace } }: KubeObject): KubeObject {
  return { apiVersion, kind, metadata: defined({ name, namespace }) };
}

function networkOf(service: KubeObject): KubeObject {
  return { ...headOf(service), spec: service['spec'] };
}

function objectOf(value: unknown): KubeObject {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the caches hold objects only
  return value as KubeObject;
}
