import { expect, it } from 'vitest';
import { bundlePlaces } from './bundle-place.ts';

const metadata = { name: 'backup' };
const caBundle = Buffer.from('PEM').toString('base64');

function places(fields: object): readonly unknown[] {
  return bundlePlaces({ metadata, ...fields });
}

it('finds the bundle of each webhook, and of conversions by webhook', () => {
  expect(
    places({
      webhooks: [
        { name: 'a', clientConfig: { caBundle } },
        { name: 'b', clientConfig: {} },
      ],
    }),
  ).toEqual([
    { path: '/webhooks/0/clientConfig', hook: 'a', bundle: 'PEM' },
    { path: '/webhooks/1/clientConfig', hook: 'b', bundle: '' },
  ]);
  const conversion = { strategy: 'Webhook', webhook: { clientConfig: { caBundle } } };
  expect(places({ spec: { conversion } })).toEqual([
    { path: '/spec/conversion/webhook/clientConfig', hook: undefined, bundle: 'PEM' },
  ]);
  expect(places({ spec: { conversion: { ...conversion, strategy: 'None' } } })).toEqual([]);
});

it('takes any JSON type in any place without an exception', () => {
  for (const value of [null, true, 5, 'x', [], {}, [5], [null]]) {
    const all = [
      { webhooks: value },
      { webhooks: [{ name: value, clientConfig: value }] },
      { webhooks: [{ clientConfig: { caBundle: value } }] },
      { spec: value },
      { spec: { conversion: value } },
      { spec: { conversion: { strategy: 'Webhook', webhook: value } } },
      { spec: { conversion: { strategy: 'Webhook', webhook: { clientConfig: value } } } },
      { spec: { conversion: { strategy: 'Webhook', webhook: { clientConfig: { caBundle: value } } } } },
    ];
    for (const fields of all)
      for (const place of places(fields))
        expect([fields, place]).toEqual([fields, expect.objectContaining({ bundle: expect.any(String) })]);
  }
});
