import { describeTransport } from '@listwatch/conformance/transport';
import { createHttp1Transport } from './http1-transport.ts';

describeTransport({
  name: 'http/1.1',
  capabilities: { protocol: 'http/1.1', backPressure: true, ping: false },
  connect: ({ server, ca, clock }) => createHttp1Transport({ server, clock, tls: { ca } }),
});
