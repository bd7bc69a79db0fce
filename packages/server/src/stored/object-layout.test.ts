import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ObjectLayout } from './object-layout.ts';

const layout = new ObjectLayout({ kind: 'ConfigMap', apiVersion: 'v1' });
const parse = (bytes: Uint8Array): unknown => JSON.parse(Buffer.from(bytes).toString());

const configMap = fc.record({
  kind: fc.constant('ConfigMap'),
  apiVersion: fc.constant('v1'),
  metadata: fc.record(
    { name: fc.string(), resourceVersion: fc.string(), labels: fc.dictionary(fc.string(), fc.string()) },
    { requiredKeys: [] },
  ),
  data: fc.dictionary(fc.string(), fc.string()),
});
const revision = fc.bigInt({ min: 1n, max: 2n ** 53n });

describe('the layout of objects', () => {
  it('what is stored has no resourceVersion; what is served has that of its commit, and all else unchanged', () => {
    fc.assert(
      fc.property(configMap, revision, (object, at) => {
        const stored = layout.encode(object);
        expect(parse(stored)).not.toHaveProperty('metadata.resourceVersion');
        const expected = { ...object, metadata: { ...object.metadata, resourceVersion: String(at) } };
        expect(parse(layout.withRevision(stored, at))).toEqual(expected);
      }),
    );
  });

  it('kind and apiVersion stand first, so that a typed list item can begin behind them', () => {
    const object = { data: { a: '1' }, metadata: { name: 'x' }, apiVersion: 'v1', kind: 'ConfigMap' };
    const served = layout.withRevision(layout.encode(object), 7n).toString();
    expect(served).toBe(
      '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"resourceVersion":"7","name":"x"},"data":{"a":"1"}}',
    );
    expect(`{${served.slice(layout.itemOffset)}`).toBe(
      '{"metadata":{"resourceVersion":"7","name":"x"},"data":{"a":"1"}}',
    );
  });

  it('the same object at another revision differs in nothing else, whatever the length of the numbers', () => {
    fc.assert(
      fc.property(configMap, revision, revision, (object, at, later) => {
        const stored = layout.encode(object);
        const moved = layout.atRevision(layout.withRevision(stored, at), later);
        expect(moved.equals(layout.withRevision(stored, later))).toBe(true);
      }),
    );
  });

  it('bytes that something else wrote in another order are served all the same', () => {
    const foreign = Buffer.from(
      '{"metadata":{"name":"x","resourceVersion":"3"},"apiVersion":"v1","kind":"ConfigMap","data":{}}',
    );
    const expected = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'x', resourceVersion: '9' }, data: {} };
    expect(parse(layout.withRevision(foreign, 9n))).toEqual(expected);
  });

  it('bytes that are no object are a SyntaxError', () => {
    expect(() => layout.withRevision(Buffer.from('[1]'), 1n)).toThrow(SyntaxError);
    expect(() => layout.withRevision(Buffer.from('{"kind":"ConfigMap"'), 1n)).toThrow(SyntaxError);
  });
});
