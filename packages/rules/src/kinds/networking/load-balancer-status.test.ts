import { fieldErrorsText } from '@listwatch/api';
import { expect, it } from 'vitest';
import { builtInKind } from '../../strategy/built-in-definitions.fixture.ts';
import { created } from '../../strategy/kind.fixture.ts';

const { strategy } = builtInKind('core/v1.Service');

function written(type: string, ingress: object): { readonly status: unknown; readonly complaints: string } {
  const old = created(builtInKind('core/v1.Service'), { spec: { type, ports: [{ port: 80 }] } });
  const sent = { ...old, status: { loadBalancer: { ingress: [ingress] } } };
  const changed = strategy.prepareForStatusUpdate?.(sent, old, 0) ?? sent;
  return { status: changed['status'], complaints: fieldErrorsText(strategy.validate(changed, old, 'status').errors) };
}

it('the address of a load balancer has a mode', () => {
  expect(written('LoadBalancer', { ip: '1.2.3.4' })).toEqual({
    status: { loadBalancer: { ingress: [{ ip: '1.2.3.4', ipMode: 'VIP' }] } },
    complaints: '',
  });
});

it.each([
  ['ClusterIP', { ip: '1.2.3.4' }, "ingress: Forbidden: may only be used when `spec.type` is 'LoadBalancer'"],
  [
    'LoadBalancer',
    { ip: 'x' },
    'ingress[0].ip: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
  ],
  ['LoadBalancer', { ipMode: 'VIP' }, 'ingress[0].ipMode: Forbidden: may not be specified when `ip` is not set'],
  [
    'LoadBalancer',
    { ip: '::1', ipMode: 'x' },
    'ingress[0].ipMode: Unsupported value: "x": supported values: "Proxy", "VIP"',
  ],
  [
    'LoadBalancer',
    { hostname: '1.2.3.4' },
    'ingress[0].hostname: Invalid value: "1.2.3.4": must be a DNS name, not an IP address',
  ],
])('a %s at %o is refused', (type, ingress, expected) => {
  expect(written(type, ingress).complaints).toBe(`status.loadBalancer.${expected}`);
});
