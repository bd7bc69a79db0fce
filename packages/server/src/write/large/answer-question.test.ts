import type { AdmissionRequest } from '@listwatch/rules/internal';
import { expect, it } from 'vitest';
import { configMap } from '../../kinds/built-in-definitions.fixture.ts';
import { callOf, VerbFixture } from '../verb.fixture.ts';
import { Write } from '../write.ts';
import { answerQuestion } from './answer-question.ts';

const QUESTION = { type: 'charge', object: Buffer.from('{"metadata":{"name":"a"}}'), old: undefined } as const;

it.each([
  ['is told of what was charged for the attempt before', false],
  ['that is a dry run has charged nothing', true],
])('an attempt in the worker %s', async (_, dryRun) => {
  const charges: (readonly [AdmissionRequest, AdmissionRequest | undefined])[] = [];
  const charge = async (request: AdmissionRequest, charged: AdmissionRequest | undefined): Promise<void> => {
    charges.push([request, charged]);
  };
  const { context } = new VerbFixture(undefined, { admission: { charge } });
  const call = callOf(configMap, '/api/v1/namespaces/x/configmaps', '');
  const options = { dryRun, fieldValidation: 'Warn', fieldManager: '', force: false } as const;
  const write = new Write(context, call, { options });
  expect(await answerQuestion(write, QUESTION)).toEqual({});
  expect(await answerQuestion(write, QUESTION)).toEqual({});
  const [first, second] = charges;
  expect([charges.length, first?.[0].object.metadata.name, first?.[1]]).toEqual([2, 'a', undefined]);
  expect(second?.[1]).toBe(dryRun ? undefined : first?.[0]);
});
