import { describeTransport } from '@listwatch/conformance/transport';
import { createLoopbackTransport } from './loopback-transport.ts';

describeTransport({
  name: 'loopback',
  capabilities: { protocol: 'loopback', backPressure: true, ping: false },
  connect: ({ clock, handle }) => createLoopbackTransport({ handle }, { clock }),
});
