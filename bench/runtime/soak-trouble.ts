/** The kinds of trouble of the soak, in turns. Each leaves the world whole. */

import { setTimeout as pause } from 'node:timers/promises';
import type { TcpProxy } from '@listwatch/conformance/parts';
import type { RestartedServer } from './restarted-server.ts';

export interface TroubledWorld {
  readonly server: RestartedServer;
  readonly proxy: TcpProxy;
}

type Trouble = (world: TroubledWorld, ms: number) => Promise<void>;

/** By name; each lasts about as long as it is told, while others write. */
export const TROUBLES: Readonly<Record<string, Trouble>> = {
  none: async (_, ms) => pause(ms),

  cuts: async ({ proxy }, ms) => {
    for (let i = 0; i < 5; i += 1) {
      await pause(ms / 5);
      proxy.cut();
    }
  },

  // In the middle of frames.
  'torn frames': async ({ proxy }, ms) => {
    for (let i = 0; i < 5; i += 1) {
      proxy.cutAfter(1000 + i * 777);
      await pause(ms / 5);
    }
    proxy.cut();
  },

  'half-closed': async ({ proxy }, ms) => {
    await pause(ms / 2);
    proxy.halfClose();
    await pause(ms / 2);
    proxy.cut();
  },

  'away, and history forgotten': async ({ server, proxy }, ms) => {
    proxy.refuse();
    proxy.cut();
    await pause(ms);
    await server.forget();
    await proxy.accept();
  },

  'silent, and then cut': async ({ proxy }, ms) => {
    proxy.stall();
    await pause(ms);
    proxy.cut();
    proxy.flow();
  },

  'history forgotten under cuts': async ({ server, proxy }, ms) => {
    for (let i = 0; i < 3; i += 1) {
      await pause(ms / 3);
      proxy.cut();
      await server.forget();
    }
  },

  restart: async ({ server }, ms) => {
    await pause(ms / 3);
    await server.stop();
    await pause(ms / 6);
    await server.start();
    await pause(ms / 3);
  },

  crash: async ({ server }, ms) => {
    await pause(ms / 3);
    await server.kill();
    await server.start();
    await pause(ms / 3);
  },
};
