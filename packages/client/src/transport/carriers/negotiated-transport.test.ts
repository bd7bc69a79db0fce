import { describeTransport } from '@listwatch/conformance/transport';
import { createNegotiatedTransport } from './negotiated-transport.ts';

describeTransport({
  name: 'negotiated with a server of HTTP/1.1',
  capabilities: { protocol: 'http/1.1', backPressure: true, ping: false },
  connect: ({ server, ca, clock }) => createNegotiatedTransport({ server, clock, tls: { ca } }),
  skip: [
    {
      test: 'after a break the next request travels on a new connection',
      reason: 'finding out costs a connection',
    },
    {
      test: 'a hundred exchanges one after the other keep to their connections, and leave no timer',
      reason: 'finding out costs a connection',
    },
  ],
});

describeTransport({
  name: 'negotiated with a server of HTTP/2',
  capabilities: { protocol: 'http/2', backPressure: true, ping: true },
  connect: ({ server, ca, clock }) => createNegotiatedTransport({ server, clock, tls: { ca } }),
});
