/** The labels that a kubelet may set on its Node: with others it could steer privileged Pods to itself. */

const KUBELET_LABELS: ReadonlySet<string> = new Set([
  'beta.kubernetes.io/arch',
  'beta.kubernetes.io/instance-type',
  'beta.kubernetes.io/os',
  'failure-domain.beta.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'kubernetes.io/arch',
  'kubernetes.io/hostname',
  'kubernetes.io/os',
  'node.kubernetes.io/instance-type',
  'topology.kubernetes.io/region',
  'topology.kubernetes.io/zone',
]);
const KUBELET_DOMAINS = ['kubelet.kubernetes.io', 'node.kubernetes.io'];
const KUBERNETES_DOMAINS = ['kubernetes.io', 'k8s.io'];
const RESTRICTED_DOMAIN = 'node-restriction.kubernetes.io';

type Labels = Readonly<Record<string, string>>;

/** The labels among the added, changed and removed ones that a kubelet may not touch, sorted. */
export function forbiddenLabels(next: Labels = {}, old: Labels = {}): readonly string[] {
  const keys = new Set([...Object.keys(next), ...Object.keys(old)]);
  return [...keys].filter((key) => valueOf(next, key) !== valueOf(old, key) && isForbidden(key)).toSorted();
}

function valueOf(labels: Labels, key: string): string | undefined {
  return Object.hasOwn(labels, key) ? labels[key] : undefined;
}

function isForbidden(key: string): boolean {
  const slash = key.indexOf('/');
  const domain = slash < 0 ? '' : key.slice(0, slash);
  const isIn = (one: string): boolean => domain === one || domain.endsWith(`.${one}`);
  if (isIn(RESTRICTED_DOMAIN)) return true;
  return KUBERNETES_DOMAINS.some(isIn) && !KUBELET_LABELS.has(key) && !KUBELET_DOMAINS.some(isIn);
}
