/** The shapes of what a service is asked to be and is. */
import { CONDITION } from './object-meta-shape.ts';
import { list, map, type StructShape, struct } from './shape.ts';

const SERVICE_PORT: StructShape = struct('ServicePort', {
  name: 'string',
  protocol: 'string',
  'appProtocol=6': '*string',
  'port=3': 'int32!',
  targetPort: 'intOrString!',
  nodePort: 'int32',
});

const CLIENT_IP_CONFIG: StructShape = struct('ClientIPConfig', {
  timeoutSeconds: '*int32',
});

const SESSION_AFFINITY_CONFIG: StructShape = struct('SessionAffinityConfig', {
  clientIP: CLIENT_IP_CONFIG,
});

/** The shape of a ServiceSpec. */
export const SERVICE_SPEC: StructShape = struct('ServiceSpec', {
  ports: list(SERVICE_PORT, { mergeKey: 'port', itemBytes: 42 }),
  selector: map('string'),
  clusterIP: 'string',
  'clusterIPs=18': list('string'),
  'type=4': 'string',
  externalIPs: list('string'),
  'sessionAffinity=7': 'string',
  loadBalancerIP: 'string',
  loadBalancerSourceRanges: list('string'),
  externalName: 'string',
  externalTrafficPolicy: 'string',
  healthCheckNodePort: 'int32',
  publishNotReadyAddresses: 'bool',
  sessionAffinityConfig: SESSION_AFFINITY_CONFIG,
  'ipFamilies=19': list('string'),
  'ipFamilyPolicy=17': '*string',
  'allocateLoadBalancerNodePorts=20': '*bool',
  loadBalancerClass: '*string',
  internalTrafficPolicy: '*string',
  trafficDistribution: '*string',
});

const PORT_STATUS: StructShape = struct('PortStatus', {
  port: 'int32!',
  protocol: 'string!',
  error: '*string',
});

const LOAD_BALANCER_INGRESS: StructShape = struct('LoadBalancerIngress', {
  ip: 'string',
  hostname: 'string',
  ipMode: '*string',
  ports: list(PORT_STATUS),
});

const LOAD_BALANCER_STATUS: StructShape = struct('LoadBalancerStatus', {
  ingress: list(LOAD_BALANCER_INGRESS),
});

/** The shape of a ServiceStatus. */
export const SERVICE_STATUS: StructShape = struct('ServiceStatus', {
  loadBalancer: { ...LOAD_BALANCER_STATUS, always: true },
  conditions: list(CONDITION, { mergeKey: 'type' }),
});
