/** Large objects of a list are brought into their form by another thread: the request goes on in a turn of its own. */

import { backgroundClock } from '@listwatch/api';
import { expect, it } from 'vitest';
import { cacheObject } from '../cache/cached-object.ts';
import { ResourceCache } from '../cache/resource-cache.ts';
import type { AnswerForm } from '../contract/answer-form.ts';
import type { FormOrder, LargeForms } from '../contract/large-work.ts';
import { justPause } from '../contract/pause.ts';
import { configMap } from '../kinds/built-in-definitions.fixture.ts';
import { layoutOf } from '../stored/stored-object.ts';
import { answerList } from './list-answer.ts';
import { answerProtobufList } from './protobuf-list.ts';

const LARGE_BYTES = 20_000;
const COUNT = 5;

/** A thread that answers at once, and what it and the gate were asked for, in turn. */
function scene() {
  const asked: string[] = [];
  const large: LargeForms = {
    takesForm: (_form, _kind, bytes) => bytes > LARGE_BYTES,
    form: async (_kind, order: FormOrder) => {
      asked.push(order.form);
      return Buffer.from(order.form === 'cells' ? '[]' : '');
    },
  };
  const turn = async (): Promise<void> => void asked.push('turn');
  const request = { signal: new AbortController().signal, flow: undefined, turn };
  const cache = new ResourceCache({ definition: configMap, clock: backgroundClock });
  const layout = layoutOf(configMap);
  const objects = Array.from({ length: COUNT }, (_, i) => {
    const data = { text: 'x'.repeat(i % 2 === 0 ? 2 * LARGE_BYTES : 10) };
    const value = layout.encode({ ...layout.type, metadata: { name: `n${i}` }, data });
    return cacheObject(configMap, layout, cache.root, {
      key: `${cache.root}x/n${i}`,
      value,
      modRevision: BigInt(i + 1),
    });
  });
  const page = { objects, revision: 9n, next: undefined, remaining: undefined };
  return { asked, cache, page, elsewhere: { large, request } };
}

it.each([
  ['cells', { as: 'table', mediaType: 'application/json' }],
  ['item', { as: 'object', mediaType: 'application/yaml' }],
] as const)('a list whose %s come from another thread takes a turn after each', async (form, shape) => {
  const { asked, cache, page, elsewhere } = scene();
  const whole: AnswerForm = { metaVersion: 'v1', pretty: false, ...shape };
  const response = answerList(cache, page, whole, 'Metadata', justPause, elsewhere);
  if (response.type !== 'stream') throw new Error('the list is not streamed');
  let bytes = 0;
  for await (const chunk of response.chunks) bytes += chunk.length;
  expect(bytes).toBeGreaterThan(0);
  expect(asked).toEqual([form, 'turn', form, 'turn', form, 'turn']);
});

it('a protobuf list whose messages come from another thread takes a turn after each', async () => {
  const { asked, cache, page, elsewhere } = scene();
  const form: AnswerForm = {
    metaVersion: 'v1',
    pretty: false,
    as: 'object',
    mediaType: 'application/vnd.kubernetes.protobuf',
  };
  // The cache has no generation here, which would keep the messages: only the turns are looked at.
  await answerProtobufList(cache, page, form, justPause, elsewhere);
  expect(asked.filter((one) => one === 'turn')).toHaveLength(3);
});
