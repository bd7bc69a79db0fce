import { describeTransport } from '@listwatch/conformance/transport';
import { createHttp2Transport } from './http2-transport.ts';

describeTransport({
  name: 'http/2',
  capabilities: { protocol: 'http/2', backPressure: true, ping: true },
  connect: ({ server, ca, clock }) => createHttp2Transport({ server, clock, tls: { ca } }),
});
