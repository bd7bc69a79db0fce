/** GET, PUT and PATCH on `{name}/scale`: the replicas of an object, wherever its kind has them. */

import { genericFailure } from '@listwatch/api';
import { type KubeObject, virtualKind } from '@listwatch/rules/internal';
import { reportingStorage } from '../../answer/storage-failure.ts';
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
  return reportingStorage(async () => {
    const kind = virtualKind('autoscaling/v1.Scale');
    await kind.load();
    const object = await scaled(context, call);
    const now = context.store.clock.now();
    return computedAnswer(call, kind, scaleFormOf(call.definition).show(object), { now });
  });
}

/** The whole object, after the request. */
async function scaled(context: VerbContext, call: ResourceCall): Promise<KubeObject> {
  const { definition, path, request } = call;
  const whole = { ...call, path: { ...path, subresource: '' } };
  switch (request.route.verb) {
    case 'get':
      return readStored(context, request, definition, path);
    case 'update': {
      const plan = await scaleUpdatePlan(context, whole);
      const { served } = await changeObject(context, whole, { ...plan, way: 'scale-update' });
      return parseObject(served);
    }
    case 'patch': {
      const plan = await scalePatchPlan(context, whole);
      const { served } = await changeObject(context, whole, { ...plan, way: 'scale-patch' });
      return parseObject(served);
    }
    default:
      throw genericFailure(405);
  }
}
