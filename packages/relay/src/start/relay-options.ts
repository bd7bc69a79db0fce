/** The options of a relay, and the relay itself. */

import type { Clock } from '@listwatch/api';
import type { Cluster } from '@listwatch/client';
import type { AuditOptions } from '@listwatch/server';
import type { CacheLimits, HttpServer, TlsOptions } from '@listwatch/server/read';
import type { UpstreamServer } from '../pass/upstream.ts';
import type { RelayState } from './relay-state.ts';

/** Where a relay keeps its kinds while it is gone. */
export interface RelayJournalOptions {
  /** One relay at a time writes below it. */
  readonly folder: string;
  /** 32 bytes: the files are encrypted with AES-256-GCM. Default: they are not, and Secrets are not written. */
  readonly key?: Uint8Array | undefined;
}

/** Options of `createRelay`. Times are in milliseconds. */
export interface RelayOptions {
  /**
   * The upstream with the login of the relay: it must get, list and watch the kinds, and create TokenReviews and
   * SubjectAccessReviews (`system:auth-delegator`). The relay does not close it.
   */
  readonly cluster: Cluster;
  /** The same upstream for what passes, without any login: `createUpstream`. The relay does not close it. */
  readonly upstream: UpstreamServer;
  /**
   * The kinds to answer lists and watches of: `pods`, `deployments.apps`, `widgets.example.com`. Secrets stay out unless they are named.
   * Of custom kinds the relay must get, list and watch the CustomResourceDefinition and the APIService, too.
   */
  readonly kinds: readonly string[];
  /** Absent: it cannot listen, and answers in-process requests only. */
  readonly tls?: Pick<TlsOptions, 'cert' | 'key'> | undefined;
  /** Default: `127.0.0.1`. */
  readonly host?: string | undefined;
  /** Default: 0, any free port. */
  readonly port?: number | undefined;
  /** How long the upstream's answers about tokens and access are kept. Default: 10 000. 0: not at all. */
  readonly accessCacheMs?: number | undefined;
  /** Changes kept of each kind at least, so that watches can resume. Default: 1000. */
  readonly windowSize?: number | undefined;
  /** The bytes of the objects of each kind at most; a kind with more passes, and is tried again later. Default: 512 MiB. */
  readonly maxKindBytes?: number | undefined;
  /** Memory limits beside the objects. Default: those of a server. */
  readonly cacheLimits?: CacheLimits | undefined;
  /** Keeps the kinds on disk, so that a relay that was restarted lists nothing. Default: it does not. */
  readonly journal?: RelayJournalOptions | undefined;
  /**
   * While the upstream does not answer, reads of the most recent state get what the cache has, with a warning and an `Age` header that
   * say how old it is; with a journal also after a restart. Default: no, they get a 504.
   */
  readonly staleReads?: boolean | undefined;
  /**
   * So long a user who was known, and a permission, stand in while the upstream does not answer, at most 7 days. A right that is taken
   * away meanwhile is not heard of. A restart keeps them only in a journal with a key. Default: 0, not at all.
   */
  readonly stretchAccessMs?: number | undefined;
  /** Records the requests that are answered from caches; what passes is recorded by the upstream. Default: nothing is. */
  readonly audit?: AuditOptions | undefined;
  /** Told of failures. Must not throw. Default: nobody is. */
  readonly onError?: ((error: unknown, where: string) => void) | undefined;
  /** Default: the machine's clock. */
  readonly clock?: Clock | undefined;
}

/** A relay. */
export interface Relay extends Pick<HttpServer, 'handle'>, AsyncDisposable {
  /** Begins to follow the kinds. Resolves when each of them is loaded, or could not be at the first attempt: then it passes. */
  start(): Promise<void>;
  /** Listens. It may be called before `start` has resolved: kinds that are not loaded pass. Rejects without `tls`. */
  listen(): Promise<void>;
  /** `https://127.0.0.1:6443` once it listens; `''` before. */
  readonly url: string;
  /** Has `start` resolved, and is it not closing? For probes: before that, what clients send would load the upstream. */
  readonly ready: boolean;
  readonly state: RelayState;
  /** In the text format of Prometheus. */
  metrics(): Promise<string>;
  /** Ends gracefully. A second call ends at once. */
  close(): Promise<void>;
}
