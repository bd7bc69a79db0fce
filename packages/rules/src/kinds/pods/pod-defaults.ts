/** The defaults of pods and pod templates. */

import {
  defined,
  extended,
  isJsonNumber,
  type JsonRecord,
  listOf,
  numberOf,
  recordOf,
  recordsOf,
  textOf,
} from '@listwatch/api/values';
import type { KubeObject } from '../../kube-object.ts';
import { CONTAINER_LISTS } from '../containers/container-lists.ts';
import { defaultClaimSpec } from '../storage/claim-spec.ts';
import { defaultPodAmounts } from './pod-amounts.ts';

/** The defaults of a pod spec, in pods and in templates. */
export function defaultPodSpec(spec: JsonRecord): Record<string, unknown> {
  const account = textOf(spec['serviceAccountName']) || textOf(spec['serviceAccount']) || undefined;
  const result: Record<string, unknown> = Object.assign({}, spec);
  setLists(result, ['volumes'], defaultVolume);
  setLists(result, CONTAINER_LISTS, defaultContainer);
  result['restartPolicy'] = textOf(spec['restartPolicy']) || 'Always';
  result['terminationGracePeriodSeconds'] ??= 30;
  result['dnsPolicy'] = textOf(spec['dnsPolicy']) || 'ClusterFirst';
  // The old name of the account is kept beside the new one.
  for (const name of ['serviceAccountName', 'serviceAccount']) setOrDrop(result, name, account);
  result['securityContext'] ??= {};
  result['schedulerName'] = textOf(spec['schedulerName']) || 'default-scheduler';
  // Its feature gate is off.
  setOrDrop(result, 'schedulingGroup', undefined);
  return result;
}

/** Maps lists of the spec. An empty list is dropped. */
function setLists(
  spec: Record<string, unknown>,
  names: readonly string[],
  change: (record: JsonRecord) => JsonRecord,
): void {
  for (const name of names) if (spec[name] !== undefined) setOrDrop(spec, name, eachOf(spec[name], change));
}

function setOrDrop(spec: Record<string, unknown>, name: string, value: unknown): void {
  if (value !== undefined) spec[name] = value;
  // To delete a member makes an object slow.
  else if (name in spec) Reflect.deleteProperty(spec, name);
}

/** A template with the defaults of its pods. */
export function defaultPodTemplate(template: JsonRecord): JsonRecord {
  return { ...template, spec: defaultPodSpec(recordOf(template['spec'])) };
}

/** The defaults that only pods have, not pod templates. */
export function defaultPod(object: KubeObject): KubeObject {
  const spec: Record<string, unknown> = defaultPodSpec(recordOf(object['spec']));
  const hostNetwork = spec['hostNetwork'] === true;
  const complete = (container: JsonRecord): JsonRecord =>
    hostNetwork ? withHostPorts(withRequests(container)) : withRequests(container);
  setLists(spec, ['initContainers', 'containers'], complete);
  if (isNegative(spec['terminationGracePeriodSeconds'])) spec['terminationGracePeriodSeconds'] = 1;
  spec['enableServiceLinks'] ??= true;
  return { ...object, spec: spec['resources'] === undefined ? spec : defaultPodAmounts(spec) };
}

function isNegative(value: unknown): boolean {
  return isJsonNumber(value) && numberOf(value) < 0;
}

/** A resource with a limit and no request gets a request of the size of its limit. */
function withRequests(container: JsonRecord): JsonRecord {
  const resources = recordOf(container['resources']);
  if (resources['limits'] === undefined) return container;
  const requests = { ...recordOf(resources['limits']), ...recordOf(resources['requests']) };
  return { ...container, resources: { ...resources, requests } };
}

/** With `hostNetwork`, the host port defaults to the container port. */
function withHostPorts(container: JsonRecord): JsonRecord {
  const ports = eachOf(container['ports'], (port) => ({
    ...port,
    hostPort: numberOf(port['hostPort']) || port['containerPort'],
  }));
  return defined({ ...container, ports });
}

/** Assigns changed fields only: object spread is ten times slower, and a pod may have 10 000 containers. */
function defaultContainer(container: JsonRecord): JsonRecord {
  const result: Record<string, unknown> = Object.assign({}, container);
  if (container['ports'] !== undefined) result['ports'] = eachOf(container['ports'], defaultPort);
  if (container['env'] !== undefined) result['env'] = eachOf(container['env'], defaultEnv);
  for (const name of ['livenessProbe', 'readinessProbe', 'startupProbe'] as const) {
    if (container[name] !== undefined) result[name] = whenSet(container[name], defaultProbe);
  }
  if (container['lifecycle'] !== undefined) result['lifecycle'] = whenSet(container['lifecycle'], defaultLifecycle);
  result['terminationMessagePath'] ||= '/dev/termination-log';
  result['terminationMessagePolicy'] ||= 'File';
  result['imagePullPolicy'] ||= pullPolicyOf(container['image']);
  return result;
}

function defaultPort(port: JsonRecord): JsonRecord {
  return textOf(port['protocol']) === '' ? Object.assign({}, port, { protocol: 'TCP' }) : port;
}

function defaultLifecycle(lifecycle: JsonRecord): JsonRecord {
  return {
    ...lifecycle,
    // Its gate is off.
    stopSignal: undefined,
    postStart: whenSet(lifecycle['postStart'], defaultHandler),
    preStop: whenSet(lifecycle['preStop'], defaultHandler),
  };
}

/** Images with the tag `latest` default to the pull policy `Always`: the tag may move to another image. */
function pullPolicyOf(image: unknown): string {
  return tagOf(textOf(image)) === 'latest' ? 'Always' : 'IfNotPresent';
}

/** The tag of an image: `latest` without a tag or a digest; empty if the image cannot be parsed. */
function tagOf(image: string): string {
  if (image.length > IMAGE_MAX || !IMAGE.test(image)) return '';
  const [name = '', digest] = image.split('@');
  if (name.length > NAME_MAX) return '';
  const tag = name.slice(name.lastIndexOf('/') + 1).split(':')[1];
  return tag ?? (digest === undefined ? 'latest' : '');
}

/** The maximum length of an image name in Docker. */
const NAME_MAX = 255;
const IMAGE_MAX = 255 + 128 + 256;
/** As far as the policy depends on it: parts of letters and digits, joined by signs. */
const IMAGE =
  /^(?:[A-Za-z0-9.-]+(?::\d+)?\/)?[a-z0-9]+(?:[._-]+[a-z0-9]+)*(?:\/[a-z0-9]+(?:[._-]+[a-z0-9]+)*)*(?::\w[\w.-]{0,127})?(?:@[A-Za-z0-9+._-]+:[0-9a-fA-F]{32,})?$/;

function defaultEnv(variable: JsonRecord): JsonRecord {
  const from = recordOf(variable['valueFrom']);
  if (from['fieldRef'] === undefined) return variable;
  return { ...variable, valueFrom: { ...from, fieldRef: defaultFieldRef(recordOf(from['fieldRef'])) } };
}

function defaultFieldRef(reference: JsonRecord): JsonRecord {
  return { ...reference, apiVersion: textOf(reference['apiVersion']) || 'v1' };
}

function defaultProbe(probe: JsonRecord): JsonRecord {
  return extended(defaultHandler(probe), {
    timeoutSeconds: numberOf(probe['timeoutSeconds']) || 1,
    periodSeconds: numberOf(probe['periodSeconds']) || 10,
    successThreshold: numberOf(probe['successThreshold']) || 1,
    failureThreshold: numberOf(probe['failureThreshold']) || 3,
  });
}

function defaultHandler(handler: JsonRecord): JsonRecord {
  return defined(
    extended(handler, {
      httpGet: whenSet(handler['httpGet'], (get) =>
        extended(get, { path: textOf(get['path']) || '/', scheme: textOf(get['scheme']) || 'HTTP' }),
      ),
      grpc: whenSet(handler['grpc'], (grpc) => extended(grpc, { service: grpc['service'] ?? '' })),
    }),
  );
}

const FILE_MODE = 0o644;

function defaultVolume(volume: JsonRecord): JsonRecord {
  if (Object.keys(volume).every((name) => name === 'name')) return { name: volume['name'], emptyDir: {} };
  const result: Record<string, unknown> = Object.assign({}, volume);
  for (const [name, change] of VOLUME_DEFAULTS) {
    if (volume[name] !== undefined) result[name] = whenSet(volume[name], change);
  }
  return result;
}

const VOLUME_DEFAULTS: readonly (readonly [string, (source: JsonRecord) => JsonRecord])[] = [
  ['secret', withMode],
  ['configMap', withMode],
  ['downwardAPI', (source) => withMode(defaultDownward(source))],
  ['projected', (source) => withMode(defaultProjected(source))],
  ['hostPath', (source) => ({ ...source, type: source['type'] ?? '' })],
  ['ephemeral', defaultEphemeral],
  ['image', (source) => ({ ...source, pullPolicy: textOf(source['pullPolicy']) || pullPolicyOf(source['reference']) })],
];

function defaultEphemeral(source: JsonRecord): JsonRecord {
  const { volumeClaimTemplate: template } = source;
  const complete = whenSet(template, (one) => ({ ...one, spec: defaultClaimSpec(recordOf(one['spec'])) }));
  return defined({ ...source, volumeClaimTemplate: complete });
}

function withMode(source: JsonRecord): JsonRecord {
  return extended(source, { defaultMode: source['defaultMode'] ?? FILE_MODE });
}

function defaultDownward(source: JsonRecord): JsonRecord {
  const items = eachOf(source['items'], (item) =>
    item['fieldRef'] === undefined ? item : { ...item, fieldRef: whenSet(item['fieldRef'], defaultFieldRef) },
  );
  return defined({ ...source, items });
}

const TOKEN_SECONDS = 3600;

function defaultProjected(source: JsonRecord): JsonRecord {
  const sources = eachOf(source['sources'], (part) => {
    const { downwardAPI, serviceAccountToken } = part;
    return defined({
      ...part,
      // The feature gates of these two fields are off.
      clusterTrustBundle: undefined,
      podCertificate: undefined,
      downwardAPI: whenSet(downwardAPI, defaultDownward),
      serviceAccountToken: whenSet(serviceAccountToken, (token) => ({
        ...token,
        expirationSeconds: token['expirationSeconds'] ?? TOKEN_SECONDS,
      })),
    });
  });
  return defined({ ...source, sources });
}

function whenSet(value: unknown, change: (record: JsonRecord) => JsonRecord): JsonRecord | undefined {
  return value === undefined || value === null ? undefined : change(recordOf(value));
}

/** Maps a list; an absent or empty list becomes undefined. The list itself when no item changes: it stays in canonical form. */
function eachOf(value: unknown, change: (record: JsonRecord) => JsonRecord): readonly JsonRecord[] | undefined {
  if (listOf(value).length === 0) return undefined;
  const items = recordsOf(value);
  let changed: JsonRecord[] | undefined;
  for (let index = 0; index < items.length; index += 1) {
    const item = recordOf(items[index]);
    const next = change(item);
    if (next !== item) changed ??= items.slice(0, index);
    changed?.push(next);
  }
  return changed ?? items;
}
