/** The real parts that tests run against: an etcd, a browser, and a network that can be broken. */

export { type EtcdBinary, etcdTitle, requireEtcd } from './etcd-binary.ts';
export {
  askEtcd,
  type EtcdProcess,
  type EtcdStartOptions,
  joinEtcdCluster,
  startEtcd,
  startEtcdCluster,
} from './etcd-process.ts';
export { freePorts } from './free-port.ts';
export { type KubeApiserverProcess, startKubeApiserver } from './kube-apiserver-process.ts';
export { startKubeControllerManager } from './kube-controller-manager-process.ts';
export { KubeProgram } from './kube-program.ts';
export { startKubeScheduler } from './kube-scheduler-process.ts';
export { type KubeletStreamsProcess, startKubeletStreams } from './kubelet-streams-process.ts';
export { amount, isLongRun } from './long-run.ts';
export { packageFlags } from './package-flags.ts';
export { findRealPart, needs, partOfProgram, type RealPartName, requireRealPart } from './real-part.ts';
export { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';
export { TestAuthority, type TestCertificatePair } from './test-authority.ts';
