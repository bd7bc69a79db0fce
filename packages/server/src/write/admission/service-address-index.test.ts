import { FakeClock } from '@listwatch/api/fake-clock';
import type { StorageEvent } from '@listwatch/storage';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { CacheGeneration } from '../../cache/cache-generation.ts';
import { ResourceCache } from '../../cache/resource-cache.ts';
import { service } from '../../kinds/built-in-definitions.fixture.ts';
import { layoutOf } from '../../stored/stored-object.ts';
import { admissionRequest } from './admission-request.fixture.ts';
import { ServiceAddressIndex } from './service-address-index.ts';
import { serviceAdmission } from './service-admission.ts';

const clock = new FakeClock();
const NO_CLAIMS = { held: () => [], drop: async () => undefined };

afterEach(() => {
  vi.restoreAllMocks();
});

function put(cache: ResourceCache, name: string, ip: string, nodePort: number, revision: bigint): StorageEvent {
  const spec = { type: 'NodePort', clusterIPs: [ip], ports: [{ port: 80, nodePort }] };
  const value = layoutOf(cache.definition).encode({ ...cache.layout.type, metadata: { name, namespace: 'x' }, spec });
  return { type: 'put', key: `${cache.root}x/${name}`, value, revision, previous: undefined };
}

function remove(cache: ResourceCache, name: string, revision: bigint): StorageEvent {
  const key = `${cache.root}x/${name}`;
  return { type: 'delete', key, revision, previous: { key, value: Buffer.alloc(0), modRevision: 1n } };
}

function apply(generation: CacheGeneration, event: StorageEvent): void {
  generation.apply(event);
  generation.settle(event.revision);
}

describe('the index of the addresses of Services', () => {
  it('has the addresses of the Services in the cache after any changes, and no others', () => {
    const name = fc.constantFrom('a', 'b', 'c');
    const change = fc.tuple(name, fc.option(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 3 }))));
    fc.assert(
      fc.property(fc.array(change, { maxLength: 30 }), fc.nat({ max: 30 }), (changes, late) => {
        const cache = new ResourceCache({ definition: service, clock });
        const generation = cache.load([], 1n);
        const services = new Map<string, readonly [string, number]>();
        let index: ServiceAddressIndex | undefined;
        for (const [at, [one, address]] of changes.entries()) {
          // Made at any time: from the Services that are there, then from their changes.
          if (at === late) index = new ServiceAddressIndex(generation);
          const revision = BigInt(at + 2);
          if (address !== null) {
            const [ip, port] = [`10.0.0.${address[0]}`, 30_000 + address[1]] as const;
            services.set(one, [ip, port]);
            apply(generation, put(cache, one, ip, port, revision));
          } else if (services.delete(one)) apply(generation, remove(cache, one, revision));
        }
        index ??= new ServiceAddressIndex(generation);
        const taken = [...services.values()];
        for (let n = 1; n <= 4; n += 1) {
          expect(index.hasIp(`10.0.0.${n}`)).toBe(taken.some(([ip]) => ip === `10.0.0.${n}`));
          expect(index.hasNodePort(30_000 + n)).toBe(taken.some(([, port]) => port === 30_000 + n));
        }
      }),
    );
  });

  it('spares an admission from reading every Service', () => {
    const cache = new ResourceCache({ definition: service, clock });
    const generation = cache.load([], 1n);
    for (let i = 0; i < 200; i += 1) {
      apply(generation, put(cache, `s${i}`, `10.96.1.${i}`, 30_000 + i, BigInt(i + 2)));
    }
    const { allocate } = serviceAdmission(cache, clock, NO_CLAIMS);
    const admit = (_: unknown, object: Parameters<typeof admissionRequest>[1]): unknown =>
      allocate(admissionRequest(service, object));
    const object = { kind: 'Service', apiVersion: 'v1', metadata: { name: 'new' }, spec: { type: 'ClusterIP' } };
    const reads = vi.spyOn(generation, 'snapshot');
    admit(service, object);
    apply(generation, put(cache, 's0', '10.96.1.0', 30_000, 300n));
    admit(service, object);
    expect(reads).toHaveBeenCalledTimes(1);
  });

  it('is made again from the next generation; while there is none, a Service is refused with 429', () => {
    const cache = new ResourceCache({ definition: service, clock });
    const { allocate } = serviceAdmission(cache, clock, NO_CLAIMS);
    const admit = (_: unknown, object: Parameters<typeof admissionRequest>[1]): unknown =>
      allocate(admissionRequest(service, object));
    const wanted = {
      kind: 'Service',
      apiVersion: 'v1',
      metadata: { name: 'new' },
      spec: { type: 'ClusterIP', clusterIP: '10.96.0.9', clusterIPs: ['10.96.0.9'] },
    };
    expect(() => admit(service, wanted)).toThrow(expect.objectContaining({ httpCode: 429 }));
    apply(cache.load([], 1n), put(cache, 'a', '10.96.0.9', 30_000, 2n));
    expect(() => admit(service, wanted)).toThrow('provided IP is already allocated');
    cache.lose();
    expect(() => admit(service, wanted)).toThrow(expect.objectContaining({ httpCode: 429 }));
    cache.load([], 5n);
    expect(() => admit(service, wanted)).not.toThrow();
  });
});
