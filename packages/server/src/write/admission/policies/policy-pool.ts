/** Runs evaluations that would block the event loop in the worker. */

import type { KubeObject } from '@listwatch/rules/internal';
import { parseObject } from '../../../cache/cached-object.ts';
import { ComputeError, computeFailure } from '../../../compute/compute-error.ts';
import type { RunOptions } from '../../../compute/compute-pool.ts';
import type { Authorizer } from '../../../contract/authorization.ts';
import type { DynamicRequest } from '../../../contract/dynamic-admission.ts';
import type { SharedValue } from '../../../contract/large-work.ts';
import type { ResourceDefinition } from '../../../kinds/resource-definition.ts';
import { encodeJson } from '../../../stored/exact-json.ts';
import { admissionRequestJson } from '../dynamic/admission-request-json.ts';
import { matchedKind } from '../dynamic/equivalent-request.ts';
import { invocationKey } from './mutating-policies.ts';
import { accessDecider } from './policy-access.ts';
import { type ReadNamespace, requestTarget } from './policy-inputs.ts';
import type {
  JobInvocation,
  JobRequest,
  PolicyAnswer,
  PolicyJobInput,
  PolicyJobOutput,
  PolicyQuestion,
} from './policy-job.ts';
import type { PolicyInvocation } from './policy-plan.ts';
import type { ElsewhereEvaluation } from './policy-world.ts';

/** The parts that the pool needs. */
export interface PolicyPoolParts {
  readonly pool: { run(job: 'policies', input: PolicyJobInput, options: RunOptions): Promise<PolicyJobOutput> };
  readonly authorizer: Pick<Authorizer, 'authorize'>;
  readonly namespace: ReadNamespace;
  /** The stored bytes of the definition of a custom kind; undefined when it is not served any more. */
  readonly definitionOf: (definition: ResourceDefinition) => SharedValue | undefined;
  readonly time: () => number;
}

/** The worker as policies use it. */
export function policyPool(parts: PolicyPoolParts): ElsewhereEvaluation {
  return {
    async validate(request, invocation) {
      const [outcome] = (await run(parts, request, [invocation], undefined)).outcomes;
      if (outcome === undefined) throw new TypeError('the worker has not evaluated the policy');
      return outcome;
    },
    async mutate(request, invocations, round) {
      const { mutated } = await run(parts, request, invocations, { ...round, time: parts.time() });
      if (mutated === undefined) throw new TypeError('the worker has not mutated the object');
      const object = mutated.object && parseObject(bufferOf(mutated.object));
      return { ...mutated, object: object ?? request.object };
    },
  };
}

async function run(
  parts: PolicyPoolParts,
  request: DynamicRequest,
  invocations: readonly PolicyInvocation<unknown>[],
  round: PolicyJobInput['round'],
): Promise<PolicyJobOutput> {
  const { kind, namespace, definition } = request;
  const shared = new Map<string, SharedValue>();
  const custom = kind.custom === undefined ? undefined : parts.definitionOf(kind);
  if (custom !== undefined) shared.set(custom.key, custom);
  const requests = new Map<ResourceDefinition, JobRequest>();
  const jobs: JobInvocation[] = [];
  for (const { entry, binding, param, matched } of invocations) {
    if (!requests.has(matched)) requests.set(matched, jobRequest(request, matched));
    const spec = `policy/${entry.key}`;
    shared.set(spec, { key: spec, bytes: entry.bytes() });
    const key = invocationKey(entry.name, binding.name, param);
    const names = { policyName: entry.name, bindingName: binding.name, key };
    jobs.push({ spec, params: param?.bytes, request: [...requests.keys()].indexOf(matched), ...names });
  }
  const isWithin = namespace !== '' && definition.resource.namespaced;
  const input: PolicyJobInput = {
    requests: [...requests.values()],
    invocations: jobs,
    kind: coordinates(kind),
    definition: custom?.key,
    object: encoded(request.object),
    old: encoded(request.old),
    namespace: encoded(isWithin ? await parts.namespace(namespace) : undefined),
    round,
  };
  const decide = accessDecider(parts.authorizer, request.user);
  try {
    return await parts.pool.run('policies', input, {
      signal: request.signal(),
      flow: request.flow,
      shared: [...shared.values()],
      answer: async (question) => {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the job asks nothing else
        const { check } = question as PolicyQuestion;
        return check === undefined ? {} : ({ verdict: await decide(check) } satisfies PolicyAnswer);
      },
    });
  } catch (error) {
    throw error instanceof ComputeError ? computeFailure(error) : error;
  }
}

function jobRequest(request: DynamicRequest, matched: ResourceDefinition): JobRequest {
  return {
    request: Buffer.from(encodeJson(admissionRequestJson(request, matched))),
    kind: coordinates(matchedKind(request, matched)),
    target: requestTarget(request),
  };
}

function coordinates({ resource: { group, version, plural } }: ResourceDefinition): PolicyJobInput['kind'] {
  return { group, version, plural };
}

function encoded(object: KubeObject | undefined): Uint8Array | undefined {
  return object && Buffer.from(encodeJson(object));
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
