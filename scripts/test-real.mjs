// Runs the suites against a real kube-apiserver and a new etcd: `npm run test:real [-- vitest's arguments]`.
// They are built with Go from the modules that their projects publish, once: some fifteen minutes on two cores.
// KUBE_APISERVER_BIN, KUBE_CONTROLLER_MANAGER_BIN, KUBE_SCHEDULER_BIN, ETCD_BIN, ETCDCTL_BIN, ETCDUTL_BIN,
// E2E_SPECS_BIN, SAMPLE_APISERVER_BIN, SAMPLE_CONTROLLER_BIN, CONTROLLER_RUNTIME_BIN, KUBELET_STREAMS_BIN, GATEKEEPER_BIN (with
// GATEKEEPER_MANIFEST) and CERT_MANAGER_WEBHOOK_BIN (with CERT_MANAGER_CRDS) name others.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { buildE2eSpecs } from './build-e2e-specs.mjs';
import { buildRealPart, folderOf } from './build-real-part.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

const SUITES = [
  'apps/cli/src/console/console-credentials.process.test.ts',
  'apps/cli/src/doctor/doctor-real.test.ts',
  'apps/cli/src/cert-manager-webhook.process.test.ts',
  'apps/cli/src/e2e-specs.process.test.ts',
  'apps/cli/src/gatekeeper.process.test.ts',
  'apps/cli/src/go-controllers.process.test.ts',
  'apps/cli/src/kubernetes-programs.process.test.ts',
  'apps/cli/test/console-real.test.ts',
  'examples/controller-examples.test.ts',
  'examples/pod-controller-guide.test.ts',
  'packages/client/test/everyday-requests.test.ts',
  'packages/client/test/real-server.test.ts',
  'packages/conformance/src/kubelet/kubelet-streams.process.test.ts',
  'packages/controllers/test/garbage-side-by-side.test.ts',
  'packages/controllers/test/namespace-side-by-side.test.ts',
  'packages/controllers/test/quota-controller.test.ts',
  'packages/relay/test/followed-kinds-real.test.ts',
  'packages/relay/test/fresh-real.test.ts',
  'packages/relay/test/manifests-real.test.ts',
  'packages/relay/test/protobuf-real.test.ts',
  'packages/runtime/test/conformance.test.ts',
  'packages/runtime/test/controller-servers.test.ts',
  'packages/runtime/test/elected-controller.test.ts',
  'packages/runtime/test/etcd-backup.test.ts',
  'packages/runtime/test/etcd-operations.test.ts',
  'packages/runtime/test/manager-servers.test.ts',
  'packages/runtime/test/webhook-servers.test.ts',
  'packages/schema/test/custom-schemas-real.test.ts',
  'packages/server/test/aggregation-real.process.test.ts',
  'packages/server/test/apply-stories-side-by-side.test.ts',
  'packages/server/test/authentication-side-by-side.test.ts',
  'packages/server/test/authorizers-side-by-side.test.ts',
  'packages/server/test/cel-stories-side-by-side.test.ts',
  'packages/server/test/conformance.test.ts',
  'packages/server/clients/kubectl-openapi.test.ts',
  'packages/server/clients/kubectl-side-by-side.test.ts',
  'packages/server/test/node-restriction-side-by-side.test.ts',
  'packages/server/test/openapi-side-by-side.test.ts',
  'packages/server/test/managed-fields-side-by-side.test.ts',
  'packages/server/test/flow-headers-side-by-side.test.ts',
  'packages/server/test/pod-resources-side-by-side.test.ts',
  'packages/server/test/rbac-side-by-side.test.ts',
  'packages/server/test/side-by-side.test.ts',
  'packages/server/test/side-by-side-changes.test.ts',
  'packages/server/test/side-by-side-kinds.test.ts',
  'packages/server/test/side-by-side-manifests.test.ts',
  'packages/server/test/side-by-side-metadata.test.ts',
  'packages/server/test/side-by-side-stories.test.ts',
  'packages/storage-etcd',
];

const CERT_MANAGER = 'github.com/cert-manager/cert-manager';
const GATEKEEPER = 'github.com/open-policy-agent/gatekeeper/v3';

function main() {
  const { KUBE_APISERVER_BIN, KUBE_CONTROLLER_MANAGER_BIN, KUBE_SCHEDULER_BIN, ETCD_BIN } = process.env;
  const { E2E_SPECS_BIN, SAMPLE_APISERVER_BIN } = process.env;
  const { SAMPLE_CONTROLLER_BIN, CONTROLLER_RUNTIME_BIN, ETCDCTL_BIN, ETCDUTL_BIN, KUBELET_STREAMS_BIN } = process.env;
  const environment = {
    ...process.env,
    ETCD_BIN: ETCD_BIN ?? buildRealPart('etcd', 'go.etcd.io/etcd/server/v3'),
    ETCDCTL_BIN:
      ETCDCTL_BIN ?? buildRealPart('etcdctl', 'go.etcd.io/etcd/etcdctl/v3', 'go.etcd.io/etcd/etcdctl/v3', 'etcd-tools'),
    ETCDUTL_BIN:
      ETCDUTL_BIN ?? buildRealPart('etcdutl', 'go.etcd.io/etcd/etcdutl/v3', 'go.etcd.io/etcd/etcdutl/v3', 'etcd-tools'),
    KUBE_APISERVER_BIN: KUBE_APISERVER_BIN ?? buildRealPart('kube-apiserver', 'k8s.io/kubernetes'),
    KUBE_CONTROLLER_MANAGER_BIN:
      KUBE_CONTROLLER_MANAGER_BIN ?? buildRealPart('kube-controller-manager', 'k8s.io/kubernetes'),
    KUBE_SCHEDULER_BIN: KUBE_SCHEDULER_BIN ?? buildRealPart('kube-scheduler', 'k8s.io/kubernetes'),
    E2E_SPECS_BIN: E2E_SPECS_BIN ?? buildE2eSpecs(),
    SAMPLE_APISERVER_BIN:
      SAMPLE_APISERVER_BIN ?? buildRealPart('sample-apiserver', 'k8s.io/sample-apiserver', 'k8s.io/sample-apiserver'),
    SAMPLE_CONTROLLER_BIN:
      SAMPLE_CONTROLLER_BIN ??
      buildRealPart('sample-controller', 'k8s.io/sample-controller', 'k8s.io/sample-controller'),
    CONTROLLER_RUNTIME_BIN:
      CONTROLLER_RUNTIME_BIN ?? buildRealPart('controller-runtime', 'sigs.k8s.io/controller-runtime'),
    KUBELET_STREAMS_BIN: KUBELET_STREAMS_BIN ?? buildRealPart('kubelet-streams', 'k8s.io/cri-streaming'),
  };
  const { GATEKEEPER_BIN, GATEKEEPER_MANIFEST } = process.env;
  environment.GATEKEEPER_BIN = GATEKEEPER_BIN ?? buildRealPart('gatekeeper', GATEKEEPER, GATEKEEPER);
  environment.GATEKEEPER_MANIFEST =
    GATEKEEPER_MANIFEST ?? `${folderOf('gatekeeper', GATEKEEPER)}/deploy/gatekeeper.yaml`;
  const { CERT_MANAGER_WEBHOOK_BIN, CERT_MANAGER_CRDS } = process.env;
  environment.CERT_MANAGER_WEBHOOK_BIN =
    CERT_MANAGER_WEBHOOK_BIN ?? buildRealPart('cert-manager-webhook', CERT_MANAGER);
  environment.CERT_MANAGER_CRDS = CERT_MANAGER_CRDS ?? `${folderOf('cert-manager-webhook', CERT_MANAGER)}/deploy/crds`;
  const given = process.argv.slice(2);
  const args = ['vitest', 'run', ...(given.length === 0 ? SUITES : given)];
  const { status } = spawnSync('npx', args, { cwd: root, stdio: 'inherit', env: environment });
  process.exit(status ?? 1);
}

main();
