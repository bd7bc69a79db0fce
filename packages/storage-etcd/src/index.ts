/** The etcd storage engine. Start at `createEtcdEngine`. */

export { createEtcdEngine, type EtcdEngine } from './etcd-engine.ts';
export { authFromFiles, type EtcdAuthFiles, type EtcdTlsFiles, tlsFromFiles } from './etcd-files.ts';
export type { EtcdAuthOptions, EtcdEngineOptions, EtcdKeepAliveOptions, EtcdTlsOptions } from './etcd-options.ts';
export type { EtcdReach } from './etcd-reach.ts';
export { answersProgressInOrder } from './etcd-version.ts';
