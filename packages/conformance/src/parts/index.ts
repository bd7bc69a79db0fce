/** The real parts that tests run against: an etcd, and a network that can be broken. */

export { type EtcdBinary, etcdAvailable, requireEtcd } from './etcd-binary.ts';
export { type EtcdProcess, type EtcdStartOptions, startEtcd, startEtcdCluster } from './etcd-process.ts';
export { ManualClock } from './manual-clock.ts';
export { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';
export { type CertificatePair, TestAuthority } from './test-authority.ts';
