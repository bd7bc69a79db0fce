import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ObjectLayout } from './object-layout.ts';
import { PassedLayout } from './passed-layout.ts';
import type { ReadLayout } from './read-layout.ts';

const TYPE = { kind: 'Pod', apiVersion: 'v1' };
const metadata = fc.dictionary(
  fc.string().filter((key) => key !== 'resourceVersion' && key !== '__proto__'),
  fc.jsonValue(),
);

interface Layout {
  readonly layout: ReadLayout;
  /** An object at version 7 as it comes to the cache, with a member before and one behind its metadata. */
  readonly value: (meta: object, other: unknown) => Buffer;
}

const stored = new ObjectLayout(TYPE);
const LAYOUTS: Readonly<Record<string, Layout>> = {
  'of a store': {
    layout: stored,
    value: (meta, spec) => stored.encode({ ...TYPE, metadata: meta, spec }),
  },
  'of another server, built in': {
    layout: new PassedLayout(TYPE),
    value: (meta, spec) => json({ ...TYPE, metadata: { ...meta, resourceVersion: '7' }, spec }),
  },
  'of another server, custom': {
    layout: new PassedLayout(TYPE),
    value: (meta, data) =>
      json({ apiVersion: 'v1', data, kind: 'Pod', metadata: { resourceVersion: '7', ...meta }, spec: data }),
  },
};

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

function parsed(bytes: Buffer): { readonly metadata: object } {
  const value: { readonly metadata: object } = JSON.parse(bytes.toString());
  return value;
}

describe.each(Object.entries(LAYOUTS))('the layout %s', (_name, { layout, value }) => {
  it('finds the metadata, whatever braces, quotes and backslashes the strings around it contain', () => {
    fc.assert(
      fc.property(metadata, fc.jsonValue(), (meta, other) => {
        const served = layout.withRevision(value(meta, other), 7n);
        expect(JSON.parse(layout.metadata(served).toString())).toEqual(parsed(served).metadata);
      }),
    );
  });

  it('changes the resourceVersion and nothing else', () => {
    fc.assert(
      fc.property(metadata, fc.jsonValue(), (meta, other) => {
        const served = layout.withRevision(value(meta, other), 7n);
        const later = parsed(layout.atRevision(served, 12_345n));
        const before = parsed(served);
        expect(later).toEqual({ ...before, metadata: { ...before.metadata, resourceVersion: '12345' } });
      }),
    );
  });

  it('serves version 7 as version 7', () => {
    const served = layout.withRevision(value({ name: 'a' }, { metadata: { resourceVersion: '1' } }), 7n);
    expect(parsed(served)).toMatchObject({ metadata: { name: 'a', resourceVersion: '7' } });
  });
});

it('bytes of another server that end early are refused, at every byte', () => {
  const layout = new PassedLayout(TYPE);
  const whole = json({ ...TYPE, metadata: { name: 'a', resourceVersion: '7' }, spec: {} });
  const end = whole.indexOf('},"spec"');
  for (let length = 0; length < end; length += 1) {
    expect(() => layout.atRevision(whole.subarray(0, length), 8n)).toThrow(SyntaxError);
  }
});

it('a typed list leaves out the first members only of bytes that begin with them', () => {
  const layout = new PassedLayout(TYPE);
  const typed = json({ ...TYPE, metadata: { name: 'a' } });
  expect(layout.fits(typed)).toBe(true);
  expect(`{${typed.toString('utf8', layout.itemOffset)}`).toBe('{"metadata":{"name":"a"}}');
  expect(layout.fits(json({ apiVersion: 'v1', kind: 'Pod', metadata: {} }))).toBe(false);
});
