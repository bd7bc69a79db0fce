/** Every client of interop/README.md: how its program is made, and what is known to differ. */

import { requireRealPart } from '@listwatch/conformance/parts';
import type { ProgramCommand } from './client-program.ts';
import {
  buildCargo,
  buildGo,
  buildJava,
  folderOf,
  installNpm,
  installPython,
  kubectlOfDebian,
  kubectlOfModule,
  kubectlOnPath,
  MissingTool,
} from './toolchains.ts';

export interface InteropClient {
  /** The name on the command line. */
  readonly name: string;
  /** The name on the page. */
  readonly title: string;
  readonly language: string;
  /** Builds its program; throws {@link MissingTool} where that is not possible. */
  readonly prepare: () => ProgramCommand;
  /** Whether its views resume where they were after a cut and a kill. Those that list again have a note that says so. */
  readonly resumes: boolean;
  /** What a reader of the page should know. */
  readonly notes: readonly string[];
}

const KUBECTL_NOTES = [
  '`kubectl get --watch` ends with its connection, on any server. The script starts it again, and it lists again.',
  'Bookmarks, watch-list and 410 are read with `kubectl get --raw`: kubectl has no commands for them.',
];
const CLIENT_NODE_NOTES = [
  'Its informer stops at any error but 410. The program starts it again from the `error` handler, as the README of the client says.',
];

export const CLIENTS: readonly InteropClient[] = [
  {
    name: 'kubectl',
    title: 'kubectl on the PATH',
    language: 'shell',
    prepare: kubectlOnPath,
    resumes: false,
    notes: KUBECTL_NOTES,
  },
  {
    name: 'kubectl-debian',
    title: "kubectl of Debian's kubernetes-client",
    language: 'shell',
    prepare: kubectlOfDebian,
    resumes: false,
    notes: KUBECTL_NOTES,
  },
  {
    name: 'kubectl-newest',
    title: 'kubectl, the newest module',
    language: 'shell',
    prepare: kubectlOfModule,
    resumes: false,
    notes: KUBECTL_NOTES,
  },
  {
    name: 'client-go',
    title: 'client-go with watch-list',
    language: 'Go',
    prepare: () => buildGo('client-go', { KUBE_FEATURE_WatchListClient: 'true' }),
    resumes: true,
    notes: ['A RetryWatcher leaves the list after a 410 to its user: the program does it.'],
  },
  {
    name: 'client-go-list',
    title: 'client-go without watch-list',
    language: 'Go',
    prepare: () => buildGo('client-go', { KUBE_FEATURE_WatchListClient: 'false' }),
    resumes: true,
    notes: [
      'The same program with `KUBE_FEATURE_WatchListClient=false`.',
      'Its informers list again after a watch that ended within a second and without an event, on any server. Here each watch has had an event before the cut.',
    ],
  },
  {
    name: 'controller-runtime',
    title: 'controller-runtime',
    language: 'Go',
    prepare: () => buildGo('client-go', { INTEROP_CLIENT: 'controller-runtime' }),
    resumes: true,
    notes: ['Managers with one controller each. Discovery, lists and single watches are those of client-go.'],
  },
  {
    name: 'kube-rs',
    title: 'kube-rs',
    language: 'Rust',
    prepare: () => buildCargo('kube-rs', 'listwatch-interop-kube-rs'),
    resumes: true,
    notes: [
      '`Store::wait_until_ready` of kube-runtime 5.0 wakes one waiter: its `DelayedInit` polls one `oneshot` receiver, which keeps the waker of the last task. A running Controller waits on its own store, so a second task may wait for ever: it did so on kube-apiserver 1.36 as on ours, and does so without a server (`cargo test` in `interop/kube-rs`). The program asks again every 100 ms.',
    ],
  },
  {
    name: 'client-node-1',
    title: '@kubernetes/client-node 1.4',
    language: 'TypeScript',
    prepare: () => installNpm('client-node', ['main.mjs', 'client-node-1']),
    resumes: true,
    notes: CLIENT_NODE_NOTES,
  },
  {
    name: 'client-node-2',
    title: '@kubernetes/client-node 2.0',
    language: 'TypeScript',
    prepare: () => installNpm('client-node', ['main.mjs', 'client-node-2'], '22'),
    resumes: true,
    notes: CLIENT_NODE_NOTES,
  },
  {
    name: 'kubernetes-fluent-client',
    title: 'kubernetes-fluent-client',
    language: 'TypeScript',
    prepare: () => installNpm('kubernetes-fluent-client', ['main.mjs'], '22'),
    resumes: false,
    notes: ['Its watch lists again whenever its connection is lost, on any server; when that list fails, it resumes.'],
  },
  {
    name: 'browser',
    title: 'fetch and WebSocket in Chromium',
    language: 'page',
    prepare: browserProgram,
    resumes: true,
    notes: [
      'The page is of the origin of the server: like kube-apiserver by default, it sends no CORS headers.',
      'A WebSocket has no headers in a browser: the token is in a subprotocol, as Kubernetes has it.',
    ],
  },
  {
    name: 'python-kubernetes',
    title: 'kubernetes',
    language: 'Python',
    prepare: () => installPython('official.py'),
    resumes: true,
    notes: ['Its watch resumes at an end and raises at an error; the program opens it again at the last version.'],
  },
  {
    name: 'kopf',
    title: 'kopf',
    language: 'Python',
    prepare: () => installPython('handlers.py'),
    resumes: true,
    notes: ['An operator with a finalizer, so that it misses no deletion while it is away.'],
  },
  {
    name: 'lightkube',
    title: 'lightkube',
    language: 'Python',
    prepare: () => installPython('light.py'),
    resumes: true,
    notes: ['Its watch resumes at an end and raises at an error; the program opens it again at the last version.'],
  },
  {
    name: 'fabric8',
    title: 'fabric8 kubernetes-client',
    language: 'Java',
    prepare: () => buildJava('dev.listwatch.interop.Fabric8'),
    resumes: true,
    notes: [
      'Its watch resumes by itself and ends at a 410; the program lists again. Watch-list is its `streamingList`.',
      'It takes a PKCS #8 key for one of RSA: the kubeconfig has EC keys in SEC 1, as those of Kubernetes.',
    ],
  },
  {
    name: 'java',
    title: 'the official Java client',
    language: 'Java',
    prepare: () => buildJava('dev.listwatch.interop.Official'),
    resumes: false,
    notes: ['Its informer lists again whenever its connection is lost, on any server.'],
  },
];

/** The page, driven by playwright-core, which is a dependency of this repository. */
export function browserProgram(): ProgramCommand {
  try {
    return {
      command: process.execPath,
      args: [`${folderOf('browser')}/main.mjs`],
      env: { CHROMIUM_BIN: requireRealPart('Chromium') },
    };
  } catch (error) {
    throw new MissingTool(String(error));
  }
}
