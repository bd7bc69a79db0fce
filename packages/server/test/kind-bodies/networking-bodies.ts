/** Objects of kinds outside core, right and wrong, that both servers are sent: networking. */

import type { KindBodies } from './kind-bodies.ts';

export const NETWORKING_BODIES: readonly KindBodies[] = [
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    plural: 'ingresses',
    namespaced: true,
    bodies: [
      {},
      { spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } } },
      {
        spec: { defaultBackend: { service: { name: 's', port: { number: 80 } }, resource: { kind: 'a', name: 'b' } } },
      },
      { spec: { defaultBackend: { resource: { kind: '', name: 'a/b', apiGroup: '' } } } },
      { spec: { rules: [{ host: '1.2.3.4' }] } },
      { spec: { rules: [{ host: '*.example.com' }] } },
      { spec: { rules: [{ host: 'a.*.b' }], tls: [{ hosts: ['*', 'A'], secretName: 'A' }], ingressClassName: 'A' } },
      { spec: { rules: [{ http: { paths: [] } }] } },
      {
        spec: {
          rules: [
            {
              http: {
                paths: [{ path: 'x', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 80 } } } }],
              },
            },
          ],
        },
      },
      {
        spec: {
          rules: [
            {
              http: {
                paths: [
                  { path: '/a//b', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 80 } } } },
                ],
              },
            },
          ],
        },
      },
      {
        spec: {
          rules: [
            {
              http: {
                paths: [
                  { path: '/a/./b', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 80 } } } },
                ],
              },
            },
          ],
        },
      },
      {
        spec: {
          rules: [
            {
              http: {
                paths: [
                  { path: '/a/..', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 80 } } } },
                ],
              },
            },
          ],
        },
      },
      {
        spec: {
          rules: [
            {
              http: {
                paths: [
                  { path: '/%2f', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 80 } } } },
                ],
              },
            },
          ],
        },
      },
      {
        spec: {
          rules: [
            {
              http: {
                paths: [
                  { path: '/a/.', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 80 } } } },
                ],
              },
            },
          ],
        },
      },
      {
        spec: {
          rules: [
            {
              http: {
                paths: [
                  {
                    path: 'x',
                    pathType: 'ImplementationSpecific',
                    backend: { service: { name: 's', port: { number: 80 } } },
                  },
                ],
              },
            },
          ],
        },
      },
      {
        spec: {
          rules: [
            {
              http: {
                paths: [
                  {
                    path: '',
                    pathType: 'ImplementationSpecific',
                    backend: { service: { name: 's', port: { number: 80 } } },
                  },
                ],
              },
            },
          ],
        },
      },
      {
        spec: {
          rules: [
            {
              http: {
                paths: [{ path: '/', pathType: 'X', backend: { service: { name: 's', port: { number: 80 } } } }],
              },
            },
          ],
        },
      },
      {
        spec: {
          rules: [
            { http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: '', port: {} } } }] } },
          ],
        },
      },
      {
        spec: {
          rules: [
            {
              http: {
                paths: [
                  {
                    path: '/',
                    pathType: 'Prefix',
                    backend: { service: { name: 'A', port: { name: 'x', number: 1 } } },
                  },
                ],
              },
            },
          ],
        },
      },
      {
        spec: {
          rules: [
            {
              http: {
                paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: '1a', port: { name: '-' } } } }],
              },
            },
          ],
        },
      },
      {
        spec: {
          rules: [
            {
              http: {
                paths: [
                  { path: '/', pathType: 'Prefix', backend: { service: { name: 'a', port: { number: 70000 } } } },
                ],
              },
            },
          ],
        },
      },
      { spec: { rules: [{ http: { paths: [{ path: '/', pathType: 'Prefix', backend: {} }] } }] } },
      {
        metadata: { name: 'x', annotations: { 'kubernetes.io/ingress.class': 'a' } },
        spec: { ingressClassName: 'b', defaultBackend: { service: { name: 's', port: { number: 80 } } } },
      },
    ],
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'IngressClass',
    plural: 'ingressclasses',
    namespaced: false,
    bodies: [
      {},
      { spec: { controller: `a.b/${'x'.repeat(300)}` } },
      { spec: { controller: 'A/b' } },
      { spec: { controller: 'a/b c' } },
      { spec: { controller: 'a.b/c', parameters: { kind: 'K', name: 'n' } } },
      { spec: { controller: 'a.b/c', parameters: { kind: 'K', name: 'n', apiGroup: 'g.h', scope: 'Namespace' } } },
      { spec: { controller: 'a.b/c', parameters: { kind: '', name: '', scope: 'Cluster', namespace: 'x' } } },
      { spec: { controller: 'a.b/c', parameters: { kind: 'a/b', name: '..', scope: 'X', namespace: 'x' } } },
      { spec: { controller: 'a.b/c', parameters: { kind: 'a', name: 'b', scope: 'Namespace', namespace: 'X' } } },
      { spec: { controller: 'a.b/c' } },
    ],
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    plural: 'networkpolicies',
    namespaced: true,
    bodies: [
      {},
      {
        spec: {
          egress: [
            { to: [{ podSelector: {} }], ports: [{ port: 'http' }, { port: 53, protocol: 'UDP', endPort: 60 }] },
          ],
        },
      },
      {
        spec: {
          podSelector: {
            matchLabels: { 'a b': 'c d' },
            matchExpressions: [
              { key: 'a', operator: 'In' },
              { key: 'a', operator: 'Exists', values: ['x'] },
              { key: 'a', operator: 'X' },
              { key: 'a/b/c', operator: 'In', values: ['x y'] },
            ],
          },
        },
      },
      { spec: { podSelector: {}, policyTypes: ['X'] } },
      { spec: { podSelector: {}, policyTypes: ['Ingress', 'Egress', 'Ingress'] } },
      { spec: { podSelector: {}, ingress: [{ from: [{}] }] } },
      { spec: { podSelector: {}, ingress: [{ from: [{ podSelector: {}, ipBlock: { cidr: '10.0.0.0/8' } }] }] } },
      { spec: { podSelector: {}, ingress: [{ from: [{ ipBlock: { cidr: '' } }] }] } },
      { spec: { podSelector: {}, ingress: [{ from: [{ ipBlock: { cidr: '10.0.0.1/8' } }] }] } },
      { spec: { podSelector: {}, ingress: [{ from: [{ ipBlock: { cidr: '010.0.0.0/8' } }] }] } },
      { spec: { podSelector: {}, ingress: [{ from: [{ ipBlock: { cidr: '10.0.0.0/08' } }] }] } },
      { spec: { podSelector: {}, ingress: [{ from: [{ ipBlock: { cidr: '10.0.0.0/33' } }] }] } },
      { spec: { podSelector: {}, ingress: [{ from: [{ ipBlock: { cidr: '::ffff:1.2.3.4/120' } }] }] } },
      { spec: { podSelector: {}, ingress: [{ from: [{ ipBlock: { cidr: '2001:DB8::/32' } }] }] } },
      { spec: { podSelector: {}, ingress: [{ from: [{ ipBlock: { cidr: '2001:db8::1/32' } }] }] } },
      { spec: { podSelector: {}, ingress: [{ from: [{ ipBlock: { cidr: '10.0.0.0' } }] }] } },
      {
        spec: {
          podSelector: {},
          ingress: [
            {
              from: [
                {
                  ipBlock: {
                    cidr: '10.0.0.0/8',
                    except: ['11.0.0.0/16', '10.0.0.0/8', 'x', '10.1.0.0/16', '2001:db8::/32'],
                  },
                },
              ],
            },
          ],
        },
      },
      {
        spec: {
          podSelector: {},
          ingress: [
            {
              ports: [
                { port: 70000 },
                { port: 'A' },
                { protocol: 'X', port: 1 },
                { endPort: 3 },
                { port: 'http', endPort: 3 },
                { port: 80, endPort: 79 },
                { port: 80, endPort: 70000 },
              ],
            },
          ],
        },
      },
      { spec: { podSelector: {}, ingress: [{ from: [{ ipBlock: { cidr: '10.0.0.0/8' } }] }] } },
    ],
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'IPAddress',
    plural: 'ipaddresses',
    namespaced: false,
    bodies: [
      { metadata: { name: '192.168.1.1' }, spec: { parentRef: { resource: 'services', name: 's', namespace: 'n' } } },
      { metadata: { name: '2001:db8::1' }, spec: { parentRef: { resource: 'services', name: 's', namespace: 'n' } } },
      { metadata: { name: '2001:db8:0::1' }, spec: { parentRef: { resource: 'services', name: 's', namespace: 'n' } } },
      { metadata: { name: '192.168.01.1' }, spec: { parentRef: { resource: 'services', name: 's', namespace: 'n' } } },
      {
        metadata: { name: '::ffff:1.2.3.4' },
        spec: { parentRef: { resource: 'services', name: 's', namespace: 'n' } },
      },
      { metadata: { name: 'x' }, spec: { parentRef: { resource: 'services', name: 's', namespace: 'n' } } },
      { metadata: { name: '192.168.1.1' } },
      {
        metadata: { name: '192.168.1.1' },
        spec: { parentRef: { group: 'A', resource: 'a/b', name: '', namespace: '..' } },
      },
    ],
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'ServiceCIDR',
    plural: 'servicecidrs',
    namespaced: false,
    bodies: [
      {},
      { spec: { cidrs: ['10.5.0.0/24', '2001:db8::/64', '10.6.0.0/24'] } },
      { spec: { cidrs: ['10.5.0.0/24', '10.6.0.0/24'] } },
      { spec: { cidrs: ['x', '2001:DB8::/64'] } },
      { spec: { cidrs: ['10.5.0.0/24'] } },
    ],
  },
  {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    plural: 'endpointslices',
    namespaced: true,
    bodies: [
      {},
      { addressType: 'IPv4', endpoints: [{ addresses: ['10.1.1.1'] }], ports: [{ port: 80 }, { name: 'b' }] },
      {
        addressType: 'IPv4',
        endpoints: [{ addresses: ['10.1.1.1'] }],
        ports: [{ name: 'A' }, { name: 'x', protocol: 'X', appProtocol: 'a b' }, { name: 'x', port: 70000 }],
      },
      { addressType: 'IPv4', endpoints: [{ addresses: ['0.0.0.0'] }] },
      { addressType: 'IPv6', endpoints: [{ addresses: ['0.0.0.0'] }] },
      { addressType: 'IPv4', endpoints: [{ addresses: ['::'] }] },
      { addressType: 'IPv6', endpoints: [{ addresses: ['::'] }] },
      { addressType: 'IPv4', endpoints: [{ addresses: ['127.0.0.1'] }] },
      { addressType: 'IPv6', endpoints: [{ addresses: ['127.0.0.1'] }] },
      { addressType: 'IPv4', endpoints: [{ addresses: ['169.254.1.1'] }] },
      { addressType: 'IPv6', endpoints: [{ addresses: ['169.254.1.1'] }] },
      { addressType: 'IPv4', endpoints: [{ addresses: ['224.0.0.1'] }] },
      { addressType: 'IPv6', endpoints: [{ addresses: ['224.0.0.1'] }] },
      { addressType: 'IPv4', endpoints: [{ addresses: ['010.1.1.1'] }] },
      { addressType: 'IPv6', endpoints: [{ addresses: ['010.1.1.1'] }] },
      { addressType: 'IPv4', endpoints: [{ addresses: ['x'] }] },
      { addressType: 'IPv6', endpoints: [{ addresses: ['x'] }] },
      { addressType: 'IPv4', endpoints: [{ addresses: ['::1'] }] },
      { addressType: 'IPv6', endpoints: [{ addresses: ['::1'] }] },
      { addressType: 'IPv6', endpoints: [{ addresses: ['2001:DB8::1', '2001:db8::1'] }] },
      { addressType: 'FQDN', endpoints: [{ addresses: ['a', 'a.b', 'A.b', 'a.b.', '', `${'x'.repeat(64)}.com`] }] },
      { addressType: 'IPv4', endpoints: [{ addresses: [] }] },
      {
        addressType: 'IPv4',
        endpoints: [
          {
            addresses: ['10.1.1.1'],
            nodeName: 'A',
            hostname: 'A.b',
            deprecatedTopology: { a: 'b' },
            hints: { forZones: [{ name: 'a b' }, { name: 'a b' }], forNodes: [{ name: 'A' }, { name: 'A' }] },
          },
        ],
      },
      { addressType: 'IPv4', endpoints: [{ addresses: ['10.1.1.1'], deprecatedTopology: { a: 'b' } }] },
      {
        addressType: 'IPv4',
        endpoints: [
          {
            addresses: ['10.1.1.1'],
            hints: {
              forZones: [
                { name: 'a' },
                { name: 'b' },
                { name: 'c' },
                { name: 'd' },
                { name: 'e' },
                { name: 'f' },
                { name: 'g' },
                { name: 'h' },
                { name: 'i' },
              ],
            },
          },
        ],
      },
      { addressType: 'IPv4', endpoints: [{ addresses: ['10.1.1.1'] }] },
      { addressType: 'IPv4', endpoints: null, ports: null },
    ],
  },
];
