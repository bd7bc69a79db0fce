import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ObjectLayout } from '../stored/object-layout.ts';
import { metadataSlice } from './metadata-slice.ts';

const layout = new ObjectLayout({ kind: 'Pod', apiVersion: 'v1' });
const metadata = fc.dictionary(
  fc.string().filter((key) => key !== 'resourceVersion' && key !== '__proto__'),
  fc.jsonValue(),
);

it('the slice is exactly the metadata, whatever braces, quotes and backslashes its strings contain', () => {
  fc.assert(
    fc.property(metadata, fc.jsonValue(), (meta, spec) => {
      const object = { kind: 'Pod', apiVersion: 'v1', metadata: meta, spec };
      const bytes = layout.withRevision(layout.encode(object), 7n);
      const whole: unknown = JSON.parse(bytes.toString());
      expect(whole).toHaveProperty('metadata', JSON.parse(metadataSlice(bytes).toString()));
    }),
  );
});
