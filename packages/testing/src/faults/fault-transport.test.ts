import { createLoopbackTransport } from '@listwatch/client';
import { describeTransport } from '@listwatch/conformance/transport';
import { createFaults } from './create-faults.ts';

// With no fault in place nothing may differ from the transport below.
describeTransport({
  name: 'loopback behind faults',
  capabilities: { protocol: 'loopback', backPressure: true, ping: false },
  connect: ({ clock, handle }) => createFaults({ clock }).decorate(createLoopbackTransport({ handle }, { clock })),
});
