/** Evaluates policies that would block the event loop in the worker. */

import { type JsonRecord, recordOf } from '@listwatch/api/values';
import {
  AccessAnswers,
  type EvaluationThread,
  type KubeObject,
  MutatingPolicy,
  PolicyInput,
  type PolicyOutcome,
  type PolicyRequest,
  ValidatingPolicy,
} from '@listwatch/rules/internal';
import type { ComputeJob, JobContext } from '../../../compute/compute-job.ts';
import type { WriteAttempt } from '../../../contract/large-work.ts';
import type { ResourceDefinition } from '../../../kinds/resource-definition.ts';
import { decodeJson, encodeJson } from '../../../stored/exact-json.ts';
import { workerKinds } from '../../large/worker-kinds.ts';
import { convertObject } from '../dynamic/object-conversion.ts';
import {
  type MutationStep,
  mutationRound,
  type RoundOptions,
  type RoundResult,
  type VersionedInput,
} from './mutation-round.ts';

/** An evaluation of a policy, whose spec is a shared value. */
export interface JobInvocation {
  readonly spec: string;
  /** The object of parameters as JSON. Undefined: there is none. */
  readonly params: Uint8Array | undefined;
  /** The index of its request in `requests`. */
  readonly request: number;
  readonly policyName: string;
  readonly bindingName: string;
  readonly key: string;
}

/** The request in a version that a rule has matched in. */
export interface JobRequest {
  readonly request: Uint8Array;
  readonly kind: WriteAttempt['resource'];
  readonly target: PolicyRequest['target'];
}

/** The input of a job, shared by all its evaluations. Objects are in the first kind; bytes are JSON. */
export interface PolicyJobInput {
  readonly requests: readonly JobRequest[];
  readonly invocations: readonly JobInvocation[];
  readonly kind: WriteAttempt['resource'];
  /** The definition of a custom kind: a shared value. */
  readonly definition: string | undefined;
  readonly object: Uint8Array | undefined;
  readonly old: Uint8Array | undefined;
  readonly namespace: Uint8Array | undefined;
  /** Undefined: the policies validate. */
  readonly round: Pick<RoundOptions, 'isSecond' | 'reinvocations' | 'time'> | undefined;
}

/** The result of a job. */
export interface PolicyJobOutput {
  readonly outcomes: readonly PolicyOutcome[];
  readonly mutated: (RoundResult & { readonly object: Uint8Array | undefined }) | undefined;
}

/** A question of the job: a check of `authorizer`. Without a check it only lets other jobs run. */
export interface PolicyQuestion {
  readonly check: Parameters<AccessAnswers['ask']>[0] | undefined;
}

/** The answer. */
export interface PolicyAnswer {
  readonly verdict: ReturnType<AccessAnswers['ask']>;
}

/** Gives way to other jobs with an empty question, which also restarts the deadline of the job. */
function threadOf({ ask }: JobContext): EvaluationThread {
  const turn: PolicyQuestion = { check: undefined };
  return {
    quick: undefined,
    now: () => performance.now(),
    giveWay: async () => {
      await ask(turn);
    },
  };
}

/** The job. */
export const policyJob: ComputeJob<PolicyJobInput, PolicyJobOutput> = {
  async run(input, job) {
    const target = await JobTarget.of(input, job);
    if (input.round !== undefined) return { outcomes: [], mutated: await mutate(input, input.round, target, job) };
    const outcomes: PolicyOutcome[] = [];
    const thread = threadOf(job);
    for (const { spec, params, request } of input.invocations) {
      const policy = job.shared(spec, (bytes) => new ValidatingPolicy(recordOf(decodeJson(bytes))));
      outcomes.push(await policy.evaluate((await target.at(request)).input, paramsOf(params), thread));
    }
    return { outcomes, mutated: undefined };
  },
};

async function mutate(
  { invocations }: PolicyJobInput,
  round: NonNullable<PolicyJobInput['round']>,
  target: JobTarget,
  job: JobContext,
): Promise<NonNullable<PolicyJobOutput['mutated']>> {
  const steps: MutationStep[] = [];
  for (const { spec, params, request, policyName, bindingName, key } of invocations) {
    const policy = job.shared(spec, (bytes) => new MutatingPolicy(recordOf(decodeJson(bytes))));
    const { kind: matched } = await target.at(request);
    steps.push({ policy, policyName, bindingName, key, params: paramsOf(params), matched });
  }
  const before = target.object;
  const result = await mutationRound(steps, target, { ...round, thread: threadOf(job) });
  const { object } = target;
  return { ...result, object: object === before || object === null ? undefined : Buffer.from(encodeJson(object)) };
}

function paramsOf(bytes: Uint8Array | undefined): JsonRecord | null {
  return bytes === undefined ? null : recordOf(decodeJson(bytes));
}

/** The objects of the request in the versions that rules have matched in. */
class JobTarget {
  readonly #input: PolicyJobInput;
  readonly #kind: ResourceDefinition;
  readonly #kinds: readonly ResourceDefinition[];
  readonly #access: AccessAnswers;
  readonly #old: KubeObject | null;
  readonly #namespace: KubeObject | null;
  readonly #known = new Map<ResourceDefinition, VersionedInput>();
  object: KubeObject | null;

  static async of(input: PolicyJobInput, job: JobContext): Promise<JobTarget> {
    const { definition: kind } = await workerKinds(input.kind, input.definition, job);
    const kinds: ResourceDefinition[] = [];
    for (const { kind: other } of input.requests) {
      kinds.push((await workerKinds(other, input.definition, job)).definition);
    }
    return new JobTarget(input, { kind, kinds }, job.ask);
  }

  private constructor(
    input: PolicyJobInput,
    { kind, kinds }: { readonly kind: ResourceDefinition; readonly kinds: readonly ResourceDefinition[] },
    ask: JobContext['ask'],
  ) {
    this.#input = input;
    this.#kind = kind;
    this.#kinds = kinds;
    this.#old = objectOf(input.old);
    this.object = objectOf(input.object);
    this.#namespace = objectOf(input.namespace);
    this.#access = new AccessAnswers(async (check) => {
      const question: PolicyQuestion = { check };
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the caller answers nothing else
      return ((await ask(question)) as PolicyAnswer).verdict;
    });
  }

  /** The input for one of the requests. */
  async at(index: number): Promise<VersionedInput> {
    const kind = this.#kinds[index];
    if (kind === undefined) throw new RangeError(`there is no request ${index}`);
    return this.of(kind);
  }

  async of(kind: ResourceDefinition): Promise<VersionedInput> {
    const known = this.#known.get(kind);
    if (known !== undefined) return known;
    const request = this.#input.requests[this.#kinds.indexOf(kind)];
    if (request === undefined) throw new TypeError('the policy has matched in no version that was named');
    const object = this.object && (await convertObject(this.#kind, kind, this.object));
    const input = new PolicyInput({
      object,
      oldObject: this.#old && (await convertObject(this.#kind, kind, this.#old)),
      request: recordOf(decodeJson(request.request)),
      namespace: this.#namespace,
      target: request.target,
      access: this.#access,
    });
    const made = { input, kind, object: object ?? NOTHING };
    this.#known.set(kind, made);
    return made;
  }

  async change(kind: ResourceDefinition, object: KubeObject): Promise<void> {
    this.object = await convertObject(kind, this.#kind, object);
    this.#known.clear();
  }
}

/** Only validations see a request without an object. */
const NOTHING: KubeObject = { apiVersion: '', kind: '', metadata: {} };

function objectOf(bytes: Uint8Array | undefined): KubeObject | null {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the caller sends objects only
  return bytes === undefined ? null : (decodeJson(bytes) as KubeObject);
}
