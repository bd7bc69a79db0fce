import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { objectHead } from './object-head.ts';

const POD = ['metadata.name', 'spec.nodeName', 'status.phase', 'spec.deep.inner'];
const long = (count: number): readonly object[] => Array.from({ length: count }, (_, n) => ({ name: `"{[c${n}\\`, n }));

function head(object: object): unknown {
  return objectHead(Buffer.from(JSON.stringify(object)), POD);
}

describe('the head of a large object', () => {
  it('has the labels, the owners, and what selectable fields are in, whatever their size', () => {
    const labels = Object.fromEntries(Array.from({ length: 3000 }, (_, n) => [`l${n}`, 'v']));
    const metadata = { name: 'a', labels, finalizers: long(200), ownerReferences: long(200) };
    const spec = { nodeName: 'n', deep: { inner: 'x', more: long(300) } };
    expect(head({ metadata, spec, status: { phase: 'Running' } })).toEqual({
      metadata,
      spec,
      status: { phase: 'Running' },
    });
  });

  it('has empty lists and objects in the place of other large ones, and every text', () => {
    const text = 'x'.repeat(5000);
    const object = {
      kind: 'Pod',
      metadata: { annotations: { big: text }, managedFields: long(300), name: 'a', labels: { a: 'b' } },
      spec: { containers: long(500), nodeName: 'n', text },
      data: { a: text },
      small: [1, 2],
      number: 12,
      text,
    };
    expect(head(object)).toEqual({
      ...object,
      metadata: { annotations: {}, managedFields: [], name: 'a', labels: { a: 'b' } },
      spec: { containers: [], nodeName: 'n', text },
      data: {},
    });
  });

  it('is the whole object when it is small, or was written in another form', () => {
    const object = { metadata: { managedFields: long(100) } };
    expect(head(object)).toEqual(object);
    const large = { metadata: { managedFields: long(1000) }, data: { a: 'b' } };
    expect(objectHead(Buffer.from(JSON.stringify(large, null, 1)), POD)).toEqual(large);
  });

  it('is what JSON.parse gives, but for what is empty', () => {
    const filler = 'f'.repeat(17_000);
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.dictionary(fc.string(), fc.jsonValue()),
        (rest, spec) => {
          const object = JSON.parse(JSON.stringify({ ...rest, spec, filler, metadata: {} }));
          expect(head(object)).toEqual(object);
        },
      ),
    );
  });

  it('of bytes that are not JSON is a SyntaxError', () => {
    const text = JSON.stringify({ metadata: { name: 'a' }, data: long(2000) });
    for (const bytes of [text.slice(0, -1), text.slice(0, 20_000), `k8s\0${text}`, 'x'.repeat(20_000), `"${text}`])
      expect(() => objectHead(Buffer.from(bytes), POD)).toThrow(SyntaxError);
  });
});
