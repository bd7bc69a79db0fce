import { backgroundClock } from '@listwatch/api';
import { load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { cacheObject } from '../cache/cached-object.ts';
import { ResourceCache } from '../cache/resource-cache.ts';
import type { AnswerForm } from '../contract/answer-form.ts';
import { configMap } from '../kinds/built-in-definitions.fixture.ts';
import { layoutOf } from '../stored/stored-object.ts';
import { answerList } from './list-answer.ts';

/** The answer to a list of ConfigMaps, as text, and how many pieces it came in. */
function answer(
  count: number,
  form: Pick<AnswerForm, 'mediaType'> & { as?: 'metadata' | 'object' | 'table'; pretty?: boolean },
) {
  const cache = new ResourceCache({ definition: configMap, clock: backgroundClock });
  const { root } = cache;
  const layout = layoutOf(configMap);
  const objects = Array.from({ length: count }, (_, i) => {
    const value = layout.encode({ ...layout.type, metadata: { name: `n${i}` }, data: { text: 'x'.repeat(2000) } });
    return cacheObject(configMap, layout, root, { key: `${root}x/n${i}`, value, modRevision: BigInt(i + 1) });
  });
  const page = { objects, revision: 9n, next: undefined, remaining: undefined };
  const whole = { as: 'object', metaVersion: 'v1', pretty: false, ...form } as const;
  const response = answerList(cache, page, whole, 'Metadata');
  const chunks = response.type === 'bytes' ? [response.body] : response.chunks;
  if (Symbol.asyncIterator in chunks) throw new Error('a list is made without waiting');
  const pieces = Array.from(chunks, String);
  return { type: response.type, pieces: pieces.length, text: pieces.join('') };
}

describe.each(['object', 'metadata', 'table'] as const)('a list as %s', (as) => {
  const { text: json } = answer(300, { mediaType: 'application/json', as });

  it('in YAML says the same as in JSON, and is made in pieces', () => {
    const { type, pieces, text } = answer(300, { mediaType: 'application/yaml', as });
    expect(load(text)).toEqual(JSON.parse(json));
    expect(type).toBe('stream');
    if (as === 'object') expect(pieces).toBeGreaterThan(5);
  });

  it('indented is as JSON.stringify indents it, and is made in pieces', () => {
    const { type, text } = answer(300, { mediaType: 'application/json', as, pretty: true });
    expect(text).toBe(JSON.stringify(JSON.parse(json), null, 2));
    expect(type).toBe('stream');
  });

  it('that is short is sent whole', () => {
    expect(answer(2, { mediaType: 'application/yaml', as }).type).toBe('bytes');
    expect(answer(0, { mediaType: 'application/json', as, pretty: true }).text).toContain('": []');
  });
});
