import { EventEmitter, once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { BUILT_IN_SCHEMAS } from '@listwatch/kinds/schemas';
import { afterEach, expect, it, vi } from 'vitest';
import type { ResourceCall } from '../../contract/verb.ts';
import { deployment } from '../../kinds/built-in-definitions.fixture.ts';
import { callOf, VerbFixture } from '../verb.fixture.ts';
import { scalePatchPlan } from './scale-plan.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

function mergePatch(name: string): string | undefined {
  return name === 'content-type' ? 'application/merge-patch+json' : undefined;
}

function patchOf(body: string): ResourceCall {
  const call = callOf(deployment, '/apis/apps/v1/namespaces/x/deployments/web', '');
  return { ...call, request: { ...call.request, header: mergePatch, body: async () => Buffer.from(body) } };
}

it('a patch of a Scale waits for its schema, which a worker may not have had before', async () => {
  const schemas = new EventEmitter();
  const loading = once(schemas, 'loaded').then(() => undefined);
  const load = vi.spyOn(BUILT_IN_SCHEMAS, 'load').mockReturnValue(loading);
  const made: unknown[] = [];
  const making = scalePatchPlan(new VerbFixture().context, patchOf('{"spec":{"replicas":5}}')).then((plan) =>
    made.push(plan),
  );
  await nextTurn();
  expect(load).toHaveBeenCalledWith('autoscaling/v1.Scale');
  expect(made).toEqual([]);
  schemas.emit('loaded');
  await making;
  expect(made).toHaveLength(1);
});
