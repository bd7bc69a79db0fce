/** The proxies to nodes, Pods and Services. */

import { isIP } from 'node:net';
import { badRequest, notFound, serviceUnavailable, unknownError } from '@listwatch/api';
import { listOf, numberOf, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import { builtInKind, type KubeObject, kubeletAddress } from '@listwatch/rules/internal';
import type { ApiResponse } from '../../contract/api-response.ts';
import type { ResourceCall, VerbContext } from '../../contract/verb.ts';
import { isSpecialAddress } from '../../forward/allowed-address.ts';
import { endWithRequest } from '../../stored/request-signal.ts';
import { keyPrefix } from '../../stored/requested-key.ts';
import { storedObject } from '../../stored/stored-object.ts';
import { readStored } from '../reviews/stored-read.ts';
import { admittedOptions, type ConnectionKind } from './connection-options.ts';
import { type ForwardingParts, forward, hostAndPort, REFUSED } from './forward-call.ts';
import { parseProxyName } from './proxy-name.ts';

export async function proxyPod(parts: ForwardingParts, context: VerbContext, call: ResourceCall): Promise<ApiResponse> {
  const { path, request, definition } = call;
  const { scheme, name, port } = parseProxyName('pod', path.name);
  const rest = await admittedPath(context, call, 'PodProxyOptions');
  const pod = await readStored(context, request, definition, { namespace: path.namespace, name });
  const first = recordOf(recordsOf(recordOf(recordsOf(recordOf(pod['spec'])['containers'])[0])['ports'])[0]);
  const host = textOf(recordOf(pod['status'])['podIP']);
  return proxyTo(parts, call, { host, port: port || String(numberOf(first['containerPort']) || 80), scheme, rest });
}

export async function proxyNode(
  parts: ForwardingParts,
  context: VerbContext,
  call: ResourceCall,
): Promise<ApiResponse> {
  const { scheme, name, port } = parseProxyName('node', call.path.name);
  const rest = await admittedPath(context, call, 'NodeProxyOptions');
  const node = await readStored(context, call.request, call.definition, { namespace: '', name });
  const address = kubeletAddress(node);
  if (address === undefined) throw unknownError('no preferred addresses found; known addresses: []');
  const kubelet = hostAndPort(address);
  const isKubelet = port === '' || port === String(kubelet.port);
  return proxyTo(parts, call, {
    host: kubelet.host,
    port: isKubelet ? String(kubelet.port) : port,
    scheme: isKubelet ? 'https' : scheme,
    isKubelet,
    rest,
  });
}

export async function proxyService(
  parts: ForwardingParts,
  context: VerbContext,
  call: ResourceCall,
): Promise<ApiResponse> {
  const { path, request, definition } = call;
  const { scheme, name, port } = parseProxyName('service', path.name);
  const rest = await admittedPath(context, call, 'ServiceProxyOptions');
  const place = { namespace: path.namespace, name };
  const service = await readStored(context, request, definition, place);
  const ports = recordsOf(recordOf(service['spec'])['ports']);
  const numbered = ports.find((one) => numberOf(one['port']) === Number(port));
  const isNumber = /^\d+$/u.test(port);
  if (isNumber && numbered === undefined) {
    throw serviceUnavailable(`no service port ${port} found for service ${JSON.stringify(name)}`);
  }
  const slices = await slicesOf(context, call, name);
  if (slices.length === 0) throw notFound(definition.resource, name);
  const wanted = isNumber ? textOf(recordOf(numbered)['name']) : port;
  const target = await readyEndpoint(context, call, slices, wanted);
  if (target === undefined) throw serviceUnavailable(`no endpoints available for service ${JSON.stringify(name)}`);
  return proxyTo(parts, call, { ...target, scheme, rest });
}

interface ProxyTarget {
  readonly host: string;
  readonly port: string;
  readonly scheme: string;
  readonly isKubelet?: boolean | undefined;
  /** The path after `/proxy`. */
  readonly rest: string;
}

/** The path after `/proxy`, as it was sent unless a policy or webhook has changed it. */
async function admittedPath(context: VerbContext, call: ResourceCall, kind: ConnectionKind): Promise<string> {
  const rest = behindProxy(call.request.path);
  const path = decoded(rest);
  const options = await admittedOptions(context, call, kind, path === '' ? {} : { path });
  return options['path'] === undefined || options['path'] === path ? rest : encodeURI(textOf(options['path']));
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

async function proxyTo(parts: ForwardingParts, call: ResourceCall, target: ProxyTarget): Promise<ApiResponse> {
  const { host, port, scheme, isKubelet = false, rest } = target;
  if (host === '') throw badRequest('address not allowed');
  if (parts.forwarder === undefined) {
    // Loopback and link-local addresses are refused, as in Kubernetes: a Pod could claim to have one.
    if (isIP(host) !== 0 && isSpecialAddress(host)) throw badRequest('address not allowed');
    throw unreachable(`dial tcp ${host}:${port}: ${REFUSED}`);
  }
  if (!/^\d{1,5}$/u.test(port) || Number(port) > 65_535) throw unreachable(`unknown port tcp/${port}`);
  const { request } = call;
  const query = request.query === '' ? '' : `?${request.query}`;
  // Without the trailing slash a browser would resolve relative links against the parent path.
  if (rest === '' && (request.method === 'GET' || request.method === 'HEAD') && request.upgrade === undefined) {
    return { type: 'bytes', status: 301, headers: { location: `${request.path}/${query}` }, body: Buffer.alloc(0) };
  }
  const place = { host, port: Number(port), secure: scheme === 'https', isKubelet };
  return (await forward(parts, call, { ...place, path: `${rest === '' ? '/' : rest}${query}`, unreachable })).response;
}

function unreachable(why: string): Error {
  return serviceUnavailable(`error trying to reach service: ${why}`);
}

/** The path after `/proxy`, as it was sent; `''` when there is none. */
function behindProxy(path: string): string {
  return /^(?:\/[^/]+){2}(?:\/namespaces\/[^/]+)?\/[^/]+\/[^/]+\/proxy(\/.*)?$/u.exec(path)?.[1] ?? '';
}

/** The EndpointSlices that a controller has made for a Service. */
async function slicesOf(
  { store: { engine } }: VerbContext,
  call: ResourceCall,
  service: string,
): Promise<readonly KubeObject[]> {
  const slices = builtInKind('discovery/v1.EndpointSlice');
  const prefix = keyPrefix(slices, call.path.namespace);
  const { entries } = await engine.range(prefix, endWithRequest(engine, call.request));
  return entries
    .map((entry) => storedObject(slices, entry))
    .filter(({ metadata: { labels } }) => labels?.['kubernetes.io/service-name'] === service);
}

/** An endpoint that is ready, with the port of that name; any one of them. */
async function readyEndpoint(
  context: VerbContext,
  call: ResourceCall,
  slices: readonly KubeObject[],
  portName: string,
): Promise<Pick<ProxyTarget, 'host' | 'port'> | undefined> {
  const candidates = slices.flatMap((slice) => {
    const port = recordsOf(slice['ports']).find((one) => textOf(one['name']) === portName);
    if (port === undefined) return [];
    const ready = recordsOf(slice['endpoints']).filter((one) => recordOf(one['conditions'])['ready'] !== false);
    return ready.map((endpoint) => ({ endpoint, port: String(numberOf(port['port'])) }));
  });
  const first = Math.floor(Math.random() * candidates.length);
  for (const { endpoint, port } of [...candidates.slice(first), ...candidates.slice(0, first)]) {
    const host = textOf(listOf(endpoint['addresses'])[0]);
    if (await isAddressOfPod(context, call, recordOf(endpoint['targetRef']), host)) return { host, port };
  }
  return undefined;
}

/** Only addresses of Pods are allowed: otherwise an EndpointSlice could make this server connect to any address. */
async function isAddressOfPod(
  context: VerbContext,
  { request, path: { namespace } }: ResourceCall,
  target: Readonly<Record<string, unknown>>,
  address: string,
): Promise<boolean> {
  if (target['kind'] !== 'Pod' || address === '') return false;
  const name = textOf(target['name']);
  const pod = await readStored(context, request, builtInKind('core/v1.Pod'), { namespace, name }).catch(
    () => undefined,
  );
  const { podIP, podIPs } = recordOf(pod?.['status']);
  return podIP === address || recordsOf(podIPs).some(({ ip }) => ip === address);
}
