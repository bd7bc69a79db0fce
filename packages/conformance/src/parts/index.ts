/** The real parts that tests run against: an etcd, a browser, and a network that can be broken. */

export { findChromium } from './chromium-binary.ts';
export { type EtcdBinary, etcdAvailable, requireEtcd } from './etcd-binary.ts';
export { type EtcdProcess, type EtcdStartOptions, startEtcd, startEtcdCluster } from './etcd-process.ts';
export { type KubeApiserverProcess, kubeApiserverBinary, startKubeApiserver } from './kube-apiserver-process.ts';
export { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';
export { type CertificatePair, TestAuthority } from './test-authority.ts';
