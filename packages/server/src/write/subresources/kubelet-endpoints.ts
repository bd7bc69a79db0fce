/**
 * The subresources that a kubelet answers: log, exec, attach and portforward. Without a connection to kubelets they
 * answer as kube-apiserver does for an unreachable node. Start here.
 */

import { badRequest, failure, internalError, isNotFound, notFound, unknownError } from '@listwatch/api';
import { recordOf, recordsOf, textOf } from '@listwatch/api/values';
import { builtInKind, type KubeObject, kubeletAddress } from '@listwatch/rules/internal';
import { reportingStorage } from '../../answer/storage-failure.ts';
import type { ApiResponse } from '../../contract/api-response.ts';
import type { ResourceCall, Verb, VerbContext } from '../../contract/verb.ts';
import type { VirtualEndpoint } from '../../contract/virtual-endpoint.ts';
import { readStored } from '../reviews/stored-read.ts';
import {
  admittedOptions,
  kubeletStreams,
  portOptions,
  portQuery,
  streamOptions,
  streamQuery,
} from './connection-options.ts';
import { type ForwardingParts, forward, hostAndPort, REFUSED, readText } from './forward-call.ts';
import { readLogOptions } from './log-options.ts';
import { proxyNode, proxyPod, proxyService } from './proxy-endpoints.ts';

/** What the endpoints need. */
export type KubeletEndpointsParts = ForwardingParts;

/** The endpoints by resource and subresource. */
export function kubeletEndpoints(parts: KubeletEndpointsParts): Readonly<Record<string, VirtualEndpoint>> {
  const onPod = (answer: Answer): VirtualEndpoint => endpoint('core/v1.Pod', parts, answer);
  return {
    '/v1/pods/log': { ...onPod(readLog), connects: false },
    '/v1/pods/exec': onPod((...call) => connect(...call, 'exec')),
    '/v1/pods/attach': onPod((...call) => connect(...call, 'attach')),
    '/v1/pods/portforward': onPod((...call) => connect(...call, 'portForward')),
    '/v1/pods/proxy': { ...onPod(proxyPod), takesRest: true },
    '/v1/nodes/proxy': { ...endpoint('core/v1.Node', parts, proxyNode), takesRest: true },
    '/v1/services/proxy': { ...endpoint('core/v1.Service', parts, proxyService), takesRest: true },
  };
}

/** A verb that may ask another server. */
type Answer = (parts: ForwardingParts, ...call: Parameters<Verb>) => Promise<ApiResponse>;

function endpoint(
  type: 'core/v1.Node' | 'core/v1.Pod' | 'core/v1.Service',
  parts: ForwardingParts,
  answer: Answer,
): VirtualEndpoint {
  return {
    definition: builtInKind(type),
    hasTable: false,
    connects: true,
    answer: (context, call) => reportingStorage(() => answer(parts, context, call)),
  };
}

async function readLog(parts: ForwardingParts, context: VerbContext, call: ResourceCall): Promise<ApiResponse> {
  const { path, request, definition } = call;
  const options = readLogOptions(request.route.query, path.name);
  const pod = await readStored(context, request, definition, path);
  const container = containerOf(pod, options.container);
  const address = await kubeletOf(context, call, pod);
  // A Pod without a node has not run: its log is empty.
  if (address === undefined) return { type: 'bytes', status: 204, headers: {}, body: Buffer.alloc(0) };
  const query = options.query === '' ? '' : `?${options.query}`;
  const target = `/containerLogs/${path.namespace}/${path.name}/${container}${query}`;
  const unreachable = (why: string): Error =>
    unknownError(`Get ${JSON.stringify(`https://${address}${target}`)}: ${why}`);
  if (parts.forwarder === undefined) throw unreachable(`dial tcp ${address}: ${REFUSED}`);
  const kubelet = { ...hostAndPort(address), secure: true, isKubelet: true };
  const { status, response } = await forward(parts, call, { ...kubelet, path: target, unreachable });
  if (status >= 400) throw logFailure(status, await readText(response));
  return response.type === 'stream' ? { ...response, headers: { 'content-type': 'text/plain' } } : response;
}

/** The error of the kubelet, in the words of kube-apiserver. */
function logFailure(code: number, text: string): Error {
  if (code === 400) return badRequest(text);
  if (code === 500) return internalError(text);
  return failure({ code, reason: code === 404 ? 'NotFound' : '', message: text });
}

type Action = 'attach' | 'exec' | 'portForward';

const CONNECTIONS = {
  attach: 'PodAttachOptions',
  exec: 'PodExecOptions',
  portForward: 'PodPortForwardOptions',
} as const;

async function connect(
  parts: ForwardingParts,
  context: VerbContext,
  call: ResourceCall,
  action: Action,
): Promise<ApiResponse> {
  const { path, request, definition } = call;
  // WebSockets use GET, which is authorized as `get`: without this check a reader of Pods could run commands in them.
  await parts.requireCreate(request);
  const isPorts = action === 'portForward';
  const own = isPorts ? portOptions(call) : streamOptions(call, action === 'exec');
  const options = await admittedOptions(context, call, CONNECTIONS[action], own);
  const pod = await readStored(context, request, definition, path);
  const container = isPorts ? '' : `/${containerOf(pod, textOf(options['container']))}`;
  const address = await kubeletOf(context, call, pod);
  if (address === undefined) throw badRequest(`pod ${path.name} does not have a host assigned`);
  if ((request.header('upgrade') ?? '') === '') throw badRequest('Upgrade request required');
  if (parts.forwarder === undefined) throw noBackend(`dial tcp ${address}: ${REFUSED}`);
  if (request.upgrade === undefined) throw badRequest('Upgrade request required');
  const query = isPorts ? portQuery(options) : streamQuery(options);
  const target = `/${action}/${path.namespace}/${path.name}${container}${query}`;
  const kubelet = { ...hostAndPort(address), secure: true, isKubelet: true };
  const streams = isPorts ? ({ type: 'ports' } as const) : kubeletStreams(options);
  return (await forward(parts, call, { ...kubelet, path: target, streams, unreachable: noBackend })).response;
}

function noBackend(why: string): Error {
  return unknownError(`error dialing backend: ${why}`);
}

/** The container that a request is about. Throws the 400 when it names none and there are several. */
function containerOf(pod: KubeObject, wanted: string): string {
  const spec = recordOf(pod['spec']);
  const { name = '' } = pod.metadata;
  const own = recordsOf(spec['containers']).map((container) => textOf(container['name']));
  const all = [
    ...recordsOf(spec['initContainers']).map((container) => textOf(container['name'])),
    ...own,
    ...recordsOf(spec['ephemeralContainers']).map((container) => textOf(container['name'])),
  ];
  if (wanted !== '') {
    if (!all.includes(wanted)) throw badRequest(`container ${wanted} is not valid for pod ${name}`);
    return wanted;
  }
  const [only] = own;
  if (own.length === 1 && only !== undefined) return only;
  throw badRequest(`a container name must be specified for pod ${name}, choose one of: [${all.join(' ')}]`);
}

/** The address of the kubelet of a Pod; undefined while it has no node. */
async function kubeletOf(
  context: VerbContext,
  { request }: ResourceCall,
  pod: KubeObject,
): Promise<string | undefined> {
  const name = textOf(recordOf(pod['spec'])['nodeName']);
  if (name === '') return undefined;
  try {
    return requireAddress(await readStored(context, request, builtInKind('core/v1.Node'), { namespace: '', name }));
  } catch (error) {
    // Kubernetes calls the missing node a Pod.
    throw isNotFound(error) ? notFound({ group: '', plural: 'pods' }, name) : error;
  }
}

function requireAddress(node: KubeObject): string {
  const address = kubeletAddress(node);
  if (address === undefined) throw unknownError('no preferred addresses found; known addresses: []');
  return address;
}
