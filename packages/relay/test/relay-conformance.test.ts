import { describeServer } from '@listwatch/conformance/server';
import { ADMIN, RelayWorld } from './relay-world.fixture.ts';

const KINDS = ['configmaps', 'namespaces', 'pods', 'events', 'nodes', 'serviceaccounts', 'services', 'secrets'];

describeServer({
  name: 'a relay in front of our server',
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
