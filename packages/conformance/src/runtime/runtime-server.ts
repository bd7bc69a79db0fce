/** A server for the runtime to follow, and what can be done to it. */

import type { Cluster, FeatureOptions } from '@listwatch/client';

/** The way between the clients of `connect` and their server. */
export interface RuntimeNetwork {
  /** Breaks every connection, or at least every watch. New ones are let through. */
  cut(): void;
  /** Lets no new ones through. */
  refuse(): void;
  /** Lets them through again. */
  accept(): Promise<void>;
}

/** The server's own life. Its store outlives it. */
export interface RuntimePower {
  /** Ends it; its clients lose their connections. */
  stop(): Promise<void>;
  /** Starts it again, at the same address, on the same store. */
  start(): Promise<void>;
}

/** The TCP connections of the clients of `connect`. */
export interface RuntimeConnections {
  /** How many there are now. */
  readonly open: number;
  /** How many watches one of them may carry. */
  readonly watchesEach: number;
}

/** Disposing of it ends all of it. What it has is what its suite does not name in `lacks`. */
export interface RuntimeServer extends AsyncDisposable {
  /** A client of `system:masters`, over what `network` breaks. The suite closes it. */
  connect(features?: FeatureOptions): Promise<Cluster>;
  /** Another one, which `network` does not touch. */
  readonly admin: Cluster;
  readonly network?: RuntimeNetwork | undefined;
  readonly power?: RuntimePower | undefined;
  readonly connections?: RuntimeConnections | undefined;
  /** Every version before the present is gone: who asks for one gets 410. Watches that run go on. */
  forget?(): Promise<void>;
}

/** What a server may lack. */
export type RuntimeMeans = 'connections' | 'forget' | 'network' | 'power';
