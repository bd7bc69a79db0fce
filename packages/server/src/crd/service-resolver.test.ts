import type { KubeObject, ObjectReader } from '@listwatch/rules/internal';
import { expect, it } from 'vitest';
import { serviceResolver } from './service-resolver.ts';

function readerOf(...objects: readonly object[]): ObjectReader {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as much of an object as is read
  const all = objects as readonly KubeObject[];
  const within = (namespace: string): readonly KubeObject[] =>
    all.filter(({ metadata }) => metadata.namespace === namespace);
  return {
    get: (namespace, name) => within(namespace).find(({ metadata }) => metadata.name === name),
    list: within,
  };
}

const service = (name: string, spec: object): object => ({ metadata: { namespace: 'ns', name }, spec });
const PORTS = [
  { name: 'metrics', port: 80 },
  { name: 'https', port: 443 },
];

const WEB = [{ name: 'https', port: 9443 }];

function slice(of: string, endpoints: readonly object[], ports: readonly object[] = WEB): object {
  const labels = { 'kubernetes.io/service-name': of };
  return { metadata: { namespace: 'ns', name: `${of}-1`, labels }, ports, endpoints };
}

const endpoint = (address: string, conditions?: object): object => ({ addresses: [address, '10.9.9.9'], conditions });

it('a Service stands for each of its ready endpoints, and for no other', () => {
  const services = readerOf(service('hook', { clusterIP: '10.0.0.1', ports: PORTS }));
  const slices = readerOf(
    slice('hook', [
      endpoint('10.1.0.1', { ready: false }),
      endpoint('10.1.0.2', { ready: true }),
      endpoint('10.1.0.3'),
    ]),
    slice('hook', [endpoint('10.1.0.4', { serving: true })], [{ name: 'https', port: 8443 }]),
    slice('hook', [endpoint('10.1.0.5')], [{ name: 'metrics', port: 9090 }]),
    slice('other', [endpoint('10.1.0.6')]),
  );
  const found = [0, 0.4, 0.99].map((random) => serviceResolver(services, slices, () => random)('ns', 'hook', 443));
  expect(found).toEqual([
    { host: '10.1.0.2', port: 9443 },
    { host: '10.1.0.3', port: 9443 },
    { host: '10.1.0.4', port: 8443 },
  ]);
});

it('a Service without a ready endpoint stands for its cluster IP, and is unknown without one', () => {
  const services = readerOf(
    service('hook', { clusterIP: '10.0.0.1', ports: PORTS }),
    service('headless', { clusterIP: 'None', ports: PORTS }),
  );
  const unready = [endpoint('10.1.0.1', { ready: false })];
  const resolve = serviceResolver(services, readerOf(slice('hook', unready), slice('headless', unready)));
  expect(resolve('ns', 'hook', 443)).toEqual({ host: '10.0.0.1', port: 443 });
  expect(() => resolve('ns', 'headless', 443)).toThrow('no endpoints available for service "headless"');
});

it('a Service is found by its own name, namespace and port alone', () => {
  const services = readerOf(
    service('hook', { clusterIP: '10.0.0.1', ports: PORTS }),
    service('outside', { type: 'ExternalName', externalName: 'hook.example.com' }),
  );
  const resolve = serviceResolver(services, readerOf());
  expect(resolve('ns', 'outside', 8443)).toEqual({ host: 'hook.example.com', port: 8443 });
  expect(() => resolve('ns', 'hook', 444)).toThrow('no service port 444 found for service "hook"');
  expect(() => resolve('ns', 'none', 443)).toThrow('service "none" not found');
  expect(() => resolve('default', 'hook', 443)).toThrow('service "hook" not found');
});
