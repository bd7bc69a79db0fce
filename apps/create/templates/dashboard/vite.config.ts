import { connect } from '@listwatch/client';
import type { Plugin } from 'vite';
import { clusterDoor } from './src/cluster-door.ts';

/** During development Vite has the door that `src/serve.ts` has in production: KUBECONFIG says which cluster. */
const cluster: Plugin = {
  name: 'cluster-door',
  async configureServer({ middlewares }) {
    const door = clusterDoor(await connect());
    middlewares.use((request, response, next) => {
      if (!door(request, response)) next();
    });
  },
};

export default { plugins: [cluster], build: { target: 'es2023' } };
