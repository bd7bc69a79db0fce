/** Builds the peers that are written in Go and Rust, when their tools are here. */

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildCargo, buildGo } from '../runtime/peers.ts';

/** The programs; absent without their tools. */
export interface ControllerPeers {
  /** client-go's work queue and controller-runtime. */
  readonly go: string | undefined;
  /** kube-rs. */
  readonly rust: string | undefined;
}

export function buildControllerPeers(): ControllerPeers {
  const here = fileURLToPath(new URL('peers/', import.meta.url));
  return {
    go: buildGo(join(here, 'go'), 'controller-go'),
    rust: buildCargo(join(here, 'rust'), 'kube-rs-controller', 'listwatch-bench-kube-rs-controller'),
  };
}
