/** The etcd storage engine. Start at `createEtcdEngine`. */

export type { EtcdReachEvent } from './cluster-reach.ts';
export { createEtcdEngine, type EtcdEngine } from './etcd-engine.ts';
export { authFromFiles, type EtcdAuthFiles, type EtcdTlsFiles, tlsFromFiles } from './etcd-files.ts';
export type { EtcdAuthOptions, EtcdEngineOptions, EtcdKeepAliveOptions, EtcdTlsOptions } from './etcd-options.ts';
export { answersProgressInOrder } from './etcd-version.ts';
