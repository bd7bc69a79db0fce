import { describeServer } from '@listwatch/conformance/server';
import { ADMIN, RelayWorld } from './relay-world.fixture.ts';

const KINDS = ['configmaps', 'namespaces', 'pods', 'events', 'nodes', 'serviceaccounts', 'services', 'secrets'];

describeServer({
  name: 'a relay in front of our server',
  skip: [
    {
      test: 'an answer names the FlowSchema and the priority level of its user, also when it refuses or finds nothing',
      reason: 'the relay answers without the flow control of the upstream',
    },
  ],
  connect: async () => {
    const world = await RelayWorld.start({ kinds: KINDS });
    return {
      url: world.relay.url,
      token: ADMIN,
      ca: world.ca,
      [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
    };
  },
});
