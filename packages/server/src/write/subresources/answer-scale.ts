/** GET, PUT and PATCH on `{name}/scale`: the replicas of an object, wherever its kind has them. */

import { genericFailure } from '@listwatch/api';
import { type KubeObject, virtualKind } from '@listwatch/rules/internal';
import { reportingStorage } from '../../answer/storage-failure.ts';
import { warningHeader } from '../../answer/warning-header.ts';
import { parseObject } from '../../cache/cached-object.ts';
import type { ApiResponse } from '../../contract/api-response.ts';
import type { ResourceCall, VerbContext } from '../../contract/verb.ts';
import { changeObject } from '../pipeline.ts';
import { computedAnswer } from '../reviews/computed-answer.ts';
import { readStored } from '../reviews/stored-read.ts';
import { scaleFormOf } from './kind-scale-form.ts';
import { scalePatchPlan, scaleUpdatePlan } from './scale-plan.ts';

/** Answers a request for the Scale of an object. */
export function answerScale(context: VerbContext, call: ResourceCall): Promise<ApiResponse> {
  const operation = call.request.route.verb === 'get' ? 'get' : 'update';
  return reportingStorage({ resource: call.definition.resource, operation }, async () => {
    const kind = virtualKind('autoscaling/v1.Scale');
    await kind.load();
    const { object, warnings } = await scaled(context, call);
    const options = { headers: warningHeader(warnings), now: context.store.clock.now() };
    return computedAnswer(call, kind, scaleFormOf(call.definition).show(object), options);
  });
}

interface Scaled {
  /** The whole object, after the request. */
  readonly object: KubeObject;
  readonly warnings: readonly string[];
}

async function scaled(context: VerbContext, call: ResourceCall): Promise<Scaled> {
  const { definition, path, request } = call;
  const whole = { ...call, path: { ...path, subresource: '' } };
  switch (request.route.verb) {
    case 'get':
      return { object: await readStored(context, request, definition, path), warnings: [] };
    case 'update': {
      const { plan, warnings } = await scaleUpdatePlan(context, whole);
      const { served } = await changeObject(context, whole, { ...plan, way: 'scale-update' });
      return { object: parseObject(served), warnings };
    }
    case 'patch': {
      const plan = await scalePatchPlan(context, whole);
      const { served } = await changeObject(context, whole, { ...plan, way: 'scale-patch' });
      return { object: parseObject(served), warnings: [] };
    }
    default:
      throw genericFailure(405);
  }
}
