/**
 * The subresources that kube-apiserver forwards to a kubelet: log, exec, attach, portforward and proxy. This server has no
 * kubelets: each answers what kube-apiserver answers when the kubelet cannot be reached.
 */

import { badRequest, firstValue, isNotFound, notFound, serviceUnavailable, unknownError } from '@listwatch/api';
import { numberOf, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import { builtInKind, type KubeObject, kubeletAddress } from '@listwatch/rules/internal';
import { reportingStorage } from '../../answer/storage-failure.ts';
import type { AnsweredEndpoint } from '../../contract/answered-endpoint.ts';
import type { ApiResponse } from '../../contract/api-response.ts';
import type { ResourceCall, Verb, VerbContext } from '../../contract/verb.ts';
import { endWithRequest } from '../../stored/request-signal.ts';
import { keyPrefix } from '../../stored/requested-key.ts';
import { storedObject } from '../../stored/stored-object.ts';
import { readStored } from '../reviews/stored-read.ts';
import { readLogOptions } from './log-options.ts';
import { parseProxyName } from './proxy-name.ts';

/** The endpoints by resource and subresource. */
export const KUBELET_ENDPOINTS: Readonly<Record<string, AnsweredEndpoint>> = {
  '/v1/pods/log': { ...podEndpoint(readLog), connects: false },
  '/v1/pods/exec': podEndpoint((context, call) => connect(context, call, true)),
  '/v1/pods/attach': podEndpoint((context, call) => connect(context, call, true)),
  '/v1/pods/portforward': podEndpoint((context, call) => connect(context, call, false)),
  '/v1/pods/proxy': { ...podEndpoint(proxyPod), takesRest: true },
  '/v1/nodes/proxy': { ...endpoint('core/v1.Node', proxyNode), takesRest: true },
  '/v1/services/proxy': { ...endpoint('core/v1.Service', proxyService), takesRest: true },
};

function podEndpoint(answer: Verb): AnsweredEndpoint {
  return endpoint('core/v1.Pod', answer);
}

function endpoint(type: 'core/v1.Node' | 'core/v1.Pod' | 'core/v1.Service', answer: Verb): AnsweredEndpoint {
  return {
    definition: builtInKind(type),
    hasTable: false,
    connects: true,
    answer: (context, call) =>
      reportingStorage({ resource: call.definition.resource, operation: 'get' }, () => answer(context, call)),
  };
}

const REFUSED = 'connect: connection refused';

async function readLog(context: VerbContext, call: ResourceCall): Promise<ApiResponse> {
  const { path, request, definition } = call;
  const options = readLogOptions(request.route.query, path.name);
  const pod = await readStored(context, request, definition, path);
  const container = containerOf(pod, options.container);
  const address = await kubeletOf(context, call, pod);
  // A Pod without a node has not run: its log is empty.
  if (address === undefined) return { type: 'bytes', status: 204, headers: {}, body: Buffer.alloc(0) };
  const query = options.query === '' ? '' : `?${options.query}`;
  const url = `https://${address}/containerLogs/${path.namespace}/${path.name}/${container}${query}`;
  throw unknownError(`Get ${JSON.stringify(url)}: dial tcp ${address}: ${REFUSED}`);
}

async function connect(context: VerbContext, call: ResourceCall, hasContainer: boolean): Promise<ApiResponse> {
  const { path, request, definition } = call;
  const pod = await readStored(context, request, definition, path);
  if (hasContainer) containerOf(pod, firstValue(request.route.query, 'container') ?? '');
  const address = await kubeletOf(context, call, pod);
  if (address === undefined) throw badRequest(`pod ${path.name} does not have a host assigned`);
  if ((request.header('upgrade') ?? '') === '') throw badRequest('Upgrade request required');
  throw unknownError(`error dialing backend: dial tcp ${address}: ${REFUSED}`);
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

async function proxyPod(context: VerbContext, call: ResourceCall): Promise<ApiResponse> {
  const { path, request, definition } = call;
  const { name, port } = parseProxyName('pod', path.name);
  const pod = await readStored(context, request, definition, { namespace: path.namespace, name });
  const first = recordOf(recordsOf(recordOf(recordsOf(recordOf(pod['spec'])['containers'])[0])['ports'])[0]);
  return unreachable(textOf(recordOf(pod['status'])['podIP']), port || String(numberOf(first['containerPort']) || 80));
}

async function proxyNode(context: VerbContext, call: ResourceCall): Promise<ApiResponse> {
  const { name, port } = parseProxyName('node', call.path.name);
  const node = await readStored(context, call.request, call.definition, { namespace: '', name });
  const address = requireAddress(node);
  const colon = address.lastIndexOf(':');
  return unreachable(address.slice(0, colon), port || address.slice(colon + 1));
}

/** Kubernetes connects to no address of its own machine or link: a Pod could claim to have it. */
function unreachable(host: string, port: string): never {
  if (host === '' || /^(?:127\.|169\.254\.|0\.0\.0\.0$|\[?::1?\]?$|\[?fe80:)/iu.test(host)) {
    throw badRequest('address not allowed');
  }
  throw serviceUnavailable(`error trying to reach service: dial tcp ${host}:${port}: ${REFUSED}`);
}

async function proxyService(context: VerbContext, call: ResourceCall): Promise<ApiResponse> {
  const { path, request, definition } = call;
  const { name, port } = parseProxyName('service', path.name);
  const place = { namespace: path.namespace, name };
  const service = await readStored(context, request, definition, place);
  const ports = recordsOf(recordOf(service['spec'])['ports']);
  const isNumber = /^\d+$/u.test(port);
  if (isNumber && !ports.some((one) => numberOf(one['port']) === Number(port))) {
    throw serviceUnavailable(`no service port ${port} found for service ${JSON.stringify(name)}`);
  }
  if (!(await hasSlice(context, call, name))) throw notFound(definition.resource, name);
  throw serviceUnavailable(`no endpoints available for service ${JSON.stringify(name)}`);
}

/** Has the controller made an EndpointSlice for the Service? */
async function hasSlice({ store: { engine } }: VerbContext, call: ResourceCall, service: string): Promise<boolean> {
  const slices = builtInKind('discovery/v1.EndpointSlice');
  const prefix = keyPrefix(slices, call.path.namespace);
  const { entries } = await engine.range(prefix, endWithRequest(engine, call.request));
  return entries.some((entry) => {
    const { labels } = storedObject(slices, entry).metadata;
    return labels?.['kubernetes.io/service-name'] === service;
  });
}
