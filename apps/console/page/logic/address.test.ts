import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Address, objectAddress, objectsAddress, parseAddress, printAddress, watchAddress } from './address.ts';

const text = fc.string({ unit: 'grapheme', maxLength: 12 });
const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
const resource = fc.record({
  group: fc.constantFrom('', 'apps', 'stable.example.com'),
  version: fc.constantFrom('v1', 'v1beta1'),
  plural: fc.constantFrom('pods', 'crontabs'),
});
const version = fc.nat().map(String);

const addresses: fc.Arbitrary<Address> = fc.oneof(
  fc.constant<Address>({ view: 'overview' }),
  fc.record({
    view: fc.constant('objects' as const),
    resource,
    namespace: text,
    labels: text,
    fields: text,
    search: text,
    sort: text,
    descending: fc.boolean(),
    columns: fc.array(fc.constantFrom('Age', '+Node', 'Nominated Node', '+IP')),
    at: version,
  }),
  fc.record({
    view: fc.constant('object' as const),
    resource,
    namespace: fc.constantFrom('', 'default'),
    name,
    tab: fc.constantFrom('yaml' as const, 'logs' as const, 'versions' as const),
    at: version,
    from: version,
    log: fc.record({
      container: text,
      previous: fc.boolean(),
      times: fc.boolean(),
      wrap: fc.boolean(),
      tail: fc.integer({ min: 1, max: 20_000 }),
      filter: text,
    }),
  }),
  fc.record({
    view: fc.constant('watch' as const),
    resource: fc.option(resource, { nil: undefined }),
    namespace: text,
    labels: text,
    fields: text,
    resourceVersion: version,
    form: fc.constantFrom('object' as const, 'table' as const, 'metadata' as const),
    bookmarks: fc.boolean(),
    initialEvents: fc.boolean(),
  }),
);

describe('the address of the page', () => {
  it('is read back as it was written', () => {
    fc.assert(
      fc.property(addresses, (address) => {
        expect(parseAddress(printAddress(address))).toEqual(address);
      }),
    );
  });

  it('leaves defaults out', () => {
    const pods = { group: '', version: 'v1', plural: 'pods' };
    expect(printAddress(objectsAddress(pods))).toBe('#/objects/core/v1/pods');
    expect(printAddress(objectAddress(pods, { name: 'a' }))).toBe('#/object/core/v1/pods/-/a');
    expect(printAddress(watchAddress(pods))).toBe('#/watch/core/v1/pods');
  });

  it.each(['', '#', '#/', '#/nothing', '#/objects/core', '#/object/core/v1/pods/default', '#/%E0%A4%A'])(
    'shows the overview for %j',
    (fragment) => {
      expect(parseAddress(fragment)).toEqual({ view: 'overview' });
    },
  );
});
