/** Runs a command in a container, or attaches to what runs in it. */

import { type AbortOptions, type Resource, resource, resourcePath } from '@listwatch/api';
import type { ObjectTarget } from '../cluster.ts';
import { withQuery } from '../request/list-path.ts';
import { namedFailure, type RequestSubject } from '../request/named-failure.ts';
import { checkOptionNames, type OptionNames } from '../request/option-names.ts';
import { TARGET_NAMES } from '../request/request-options.ts';
import { TransportError } from '../transport/transport-error.ts';
import { CHANNEL_PROTOCOLS, channelVersion, type TerminalSize } from './channel-protocol.ts';
import { type CommandSession, SocketCommandSession } from './command-session.ts';
import { openMessages, type StreamCluster } from './open-messages.ts';
import type { ByteSource } from './outgoing-bytes.ts';

/** Options of `attach`. */
export interface AttachOptions extends AbortOptions {
  /** Default: the only one. */
  readonly container?: string | undefined;
  /** `true`: you write to `session.stdin`. Anything else is sent, and then stdin ends. Default: false. */
  readonly stdin?: ByteSource | boolean | undefined;
  /** Default: true. */
  readonly stdout?: boolean | undefined;
  /** Default: true, but for a terminal, which has none. */
  readonly stderr?: boolean | undefined;
  /** A terminal, and its size if you know it. Default: false. */
  readonly tty?: TerminalSize | boolean | undefined;
  /** What may wait of a stream that is not read, while another is; each message counts 256 bytes more than it has. Default: 16 MiB. */
  readonly maxUnreadBytes?: number | undefined;
}

/** Options of `exec`. */
export interface ExecOptions extends AttachOptions {
  /** The program and its arguments. No shell takes part: `['sh', '-c', 'a | b']` where you want one. */
  readonly command: readonly string[];
}

const ATTACH_NAMES: OptionNames<AttachOptions> = {
  signal: true,
  container: true,
  stdin: true,
  stdout: true,
  stderr: true,
  tty: true,
  maxUnreadBytes: true,
};
const EXEC_NAMES: OptionNames<ExecOptions> = { ...ATTACH_NAMES, command: true };

const MAX_UNREAD_BYTES = 16 * 1024 * 1024;

const pods = resource({ version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true });
const podExec = resource({ version: 'v1', plural: 'pods/exec', kind: 'PodExecOptions', namespaced: true });
const podAttach = resource({ version: 'v1', plural: 'pods/attach', kind: 'PodAttachOptions', namespaced: true });

/**
 * Runs a command in a container. Resolves when the server has begun. Rejects with its `StatusError` (no such pod, not allowed), a
 * `TransportError`, or the signal's reason.
 *
 * @example
 * const session = await exec(cluster, { name: 'web-1' }, { command: ['ls', '/'] });
 * const { code, stdout } = await session.output();
 */
export async function exec(
  cluster: StreamCluster,
  target: ObjectTarget,
  options: ExecOptions,
): Promise<CommandSession> {
  checkOptionNames('exec', options, EXEC_NAMES);
  const { command } = options;
  if (!Array.isArray(command) || command.length === 0 || !command.every((word) => typeof word === 'string')) {
    throw new TypeError('command must list a program and its arguments');
  }
  return open(cluster, target, { ...options, action: 'exec', resource: podExec, command });
}

/** Attaches to the main process of a container. Otherwise as `exec`; `wait` resolves when the container ends. */
export async function attach(
  cluster: StreamCluster,
  target: ObjectTarget,
  options: AttachOptions = {},
): Promise<CommandSession> {
  checkOptionNames('attach', options, ATTACH_NAMES);
  return open(cluster, target, { ...options, action: 'attach', resource: podAttach, command: [] });
}

interface SessionOptions extends AttachOptions {
  readonly action: 'attach' | 'exec';
  readonly resource: Resource;
  readonly command: readonly string[];
}

async function open(cluster: StreamCluster, target: ObjectTarget, options: SessionOptions): Promise<CommandSession> {
  checkOptionNames(options.action, target, TARGET_NAMES);
  const { signal, stdin = false, tty = false, maxUnreadBytes = MAX_UNREAD_BYTES } = options;
  if (!(maxUnreadBytes > 0)) throw new RangeError(`maxUnreadBytes must be above 0, not ${maxUnreadBytes}`);
  const { name, namespace = cluster.namespace } = target;
  const subject: RequestSubject = {
    verb: 'get',
    resource: options.resource,
    server: cluster.server,
    namespace,
    name,
  };
  const path = withQuery(resourcePath(pods, { namespace, name, subresource: options.action }), sessionQuery(options));
  const socket = await openMessages(cluster, { path, protocols: CHANNEL_PROTOCOLS, subject, signal });
  const version = channelVersion(socket.protocol);
  if (version === undefined) {
    socket.destroy();
    throw new TransportError('PROTOCOL', `the server chose ${JSON.stringify(socket.protocol)}`);
  }
  const named = (error: unknown): unknown => namedFailure(error, subject);
  const session = new SocketCommandSession({ socket, version, signal, maxUnreadBytes, named });
  if (typeof tty === 'object') session.resize(tty);
  if (typeof stdin !== 'boolean') {
    // A source that fails ends the session with its error: half of an input must not look like all of it.
    session.stdin.pipe(stdin).catch((error: unknown) => session.fail(error));
  }
  return session;
}

function sessionQuery(options: SessionOptions): string {
  const { command, container, stdin = false, stdout = true, tty = false } = options;
  const { stderr = tty === false } = options;
  const query = new URLSearchParams();
  for (const word of command) query.append('command', word);
  if (container !== undefined) query.set('container', container);
  const flags = { stdin: stdin !== false, stdout, stderr: stderr && tty === false, tty: tty !== false };
  for (const [name, value] of Object.entries(flags)) if (value) query.set(name, 'true');
  return query.toString();
}
