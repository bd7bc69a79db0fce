/** The two passes of admission: the built-in plugins, then policies and webhooks. Start here. */

import type { AdmissionRequest, KubeObject } from '@listwatch/rules/internal';
import type { Admission } from '../../../contract/admission.ts';
import type {
  DynamicRequest,
  DynamicSteps,
  MutatingRun,
  RequestHead,
  RequestObjects,
} from '../../../contract/dynamic-admission.ts';
import type { PluginChain } from '../admission-chain.ts';
import type { AdmissionTimes, PassType } from '../admission-times.ts';

const NO_RUNS: readonly MutatingRun[] = [];

/** Runs the steps after the plugins. Where any is configured, a write that matches none costs one `concerns` call for each step. */
export function dynamicPasses(
  plugins: PluginChain,
  steps: DynamicSteps,
  times: AdmissionTimes | undefined,
): Pick<Admission, 'admit' | 'concerns' | 'mutate' | 'mutateRound' | 'validate' | 'validateSteps'> {
  const isIdle = ({ resource }: AdmissionRequest): boolean => steps.isIdle?.(resource.group) === true;
  const concerned = (head: RequestHead, pass: 'mutating' | 'validating', objects?: RequestObjects): boolean =>
    steps[pass].some((step) => step.concerns(head, objects));
  // As soon as one step runs, the labels that the steps after it see are its.
  const runsFor = (head: RequestHead, objects: RequestObjects | undefined): readonly MutatingRun[] =>
    concerned(head, 'mutating', objects)
      ? steps.mutating.filter((step) => step.concerns(head)).map((step) => timedRun(step.name, step.begin(), times))
      : NO_RUNS;
  const validateSteps = async (request: DynamicRequest): Promise<void> => {
    for (const step of steps.validating) {
      if (!step.concerns(request, request)) continue;
      if (times === undefined) await step.validate(request);
      else await times.plugin(step.name, 'validate', request.operation, () => step.validate(request));
    }
  };
  const pass = <T>(type: PassType, operation: string, run: () => Promise<T>): Promise<T> =>
    times === undefined ? run() : times.pass(type, operation, run);
  return {
    mutate: (request, viewOf) =>
      pass('admit', request.operation, async () => {
        const object = await plugins.mutate(request);
        if (viewOf === undefined || isIdle(request)) return object;
        const write = viewOf();
        const runs = runsFor(write.head, write.labelled(object));
        if (runs.length === 0) return object;
        const round = async (known: KubeObject, number: 0 | 1): Promise<KubeObject | undefined> => {
          const asked = write.request(known);
          const changed = await runRound(runs, asked, number);
          return changed === undefined || changed === asked.object ? undefined : write.taken(known, changed);
        };
        return mutateTwice(plugins, request, object, round);
      }),
    async mutateRound(write, request, round) {
      if (round === 0) write.runs = runsFor(write.head, request);
      return runRound(write.runs, request, round);
    },
    validate: (request, viewOf) =>
      pass('validate', request.operation, async () => {
        await plugins.validate(request);
        if (viewOf === undefined || isIdle(request)) return;
        const { object } = request;
        const write = viewOf();
        if (concerned(write.head, 'validating', write.labelled(object))) await validateSteps(write.request(object));
      }),
    validateSteps,
    concerns: (head, type) => concerned(head, type),
    async admit(head, requestOf, objects) {
      const mutates = concerned(head, 'mutating', objects);
      if (!mutates && !concerned(head, 'validating', objects)) return undefined;
      let request = requestOf();
      if (mutates) request = await pass('admit', head.operation, () => mutatedTwice(runsFor(head, request), request));
      await pass('validate', head.operation, () => validateSteps(request));
      return request.object;
    },
  };
}

/** Both rounds of a request that no plugin is about. */
async function mutatedTwice(runs: readonly MutatingRun[], request: DynamicRequest): Promise<DynamicRequest> {
  const first = await runRound(runs, request, 0);
  if (first === request.object) return request;
  const changed = { ...request, object: first };
  return { ...changed, object: await runRound(runs, changed, 1) };
}

function timedRun(name: string, run: MutatingRun, times: AdmissionTimes | undefined): MutatingRun {
  if (times === undefined) return run;
  return {
    mutate: async (request, round) => times.plugin(name, 'admit', request.operation, () => run.mutate(request, round)),
  };
}

/**
 * The two rounds of the mutating pass. `round` returns the changed object, undefined when nothing has changed. Only
 * after a change the plugins and the steps see the object a second time.
 */
export async function mutateTwice(
  plugins: Pick<PluginChain, 'mutate'>,
  request: AdmissionRequest,
  object: KubeObject,
  round: (object: KubeObject, number: 0 | 1) => Promise<KubeObject | undefined>,
): Promise<KubeObject> {
  const first = await round(object, 0);
  if (first === undefined) return object;
  const again = await plugins.mutate({ ...request, object: first });
  return (await round(again, 1)) ?? again;
}

/** One round: each run sees the changes of the runs before it. */
async function runRound(
  runs: readonly MutatingRun[],
  request: DynamicRequest,
  round: 0 | 1,
): Promise<KubeObject | undefined> {
  let { object } = request;
  for (const run of runs)
    object = await run.mutate(object === request.object ? request : { ...request, object }, round);
  return object;
}
