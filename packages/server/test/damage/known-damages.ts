/** Damages that the two servers answer differently, each with the reason and its row in docs/reference/differences.md. */

/** Where the answers differ. */
export interface KnownDamage {
  /** Default: any kind. */
  readonly kind?: string;
  readonly damage: RegExp;
  readonly why: string;
  /** The first cell of its row in docs/reference/differences.md. */
  readonly row: string;
}

/** The servers are in different states when they are asked: it is no difference between their answers. */
export const NO_ROW = '';

export const KNOWN_DAMAGES: readonly KnownDamage[] = [
  { damage: /\.caBundle = ""$/u, why: 'empty bytes are absent here', row: 'empty bytes (`caBundle: ""`)' },
  {
    kind: 'CustomResourceDefinition',
    damage: /^\.spec(?: is absent| = (?:\{\}|"text")|\.versions (?:= \[|is absent)|\.conversion\.webhook = )/u,
    why: 'an absent list is shown as empty, and an empty webhook stays',
    row: 'an empty map or list in a message',
  },
  {
    kind: 'CustomResourceDefinition',
    damage: /openAPIV3Schema\.[$\w-]+ = (?:""|\[\])$/u,
    why: 'an empty value is none here',
    row: 'an empty list or map (a ResourceSlice with `devices: []`)',
  },
  {
    kind: 'CustomResourceDefinition',
    damage: /\.number\.type /u,
    why: 'the format is warned of although it is refused',
    row: 'formats in a schema that is refused',
  },
  {
    kind: 'CustomResourceDefinition',
    damage: /\.(?:enum = "text"|maxLength = -1)$/u,
    why: 'with the names of Go',
    row: 'objects in messages (duplicate ports and taints, success policies)',
  },
  {
    kind: 'CertificateSigningRequest',
    damage: /\.request = ""$/u,
    why: 'empty bytes are absent here',
    row: 'empty bytes (`caBundle: ""`)',
  },
  {
    damage: /\.securityContext\.privileged = true$/u,
    why: 'with the names of Go',
    row: 'a security context in "cannot set `allowPrivilegeEscalation`"',
  },
  { damage: /\.runtimeClassName = ""$/u, why: 'kube-apiserver answers 500', row: 'an empty `runtimeClassName`' },
  {
    damage: /\.image = \{\}$/u,
    why: 'told beside the volume type that is too many',
    row: 'an image in a volume that has another source',
  },
  {
    damage: /(?:\.volumeClaimTemplate|^\.spec)\.metadata\.\w+ = \[\]$/u,
    why: 'an empty list is no value here',
    row: 'an empty list or map (a ResourceSlice with `devices: []`)',
  },
  {
    kind: 'Node',
    damage: /\.podCIDRs\[1\]/u,
    why: 'the words of a parser of Go',
    row: 'a range of addresses in `podCIDRs` that cannot be parsed',
  },
  {
    kind: 'Namespace',
    damage: /\.finalizers = \[.*"kubernetes"\]$/u,
    why: 'a finalizer is kept once',
    row: 'finalizers of a namespace that are named twice',
  },
  {
    kind: 'PersistentVolume',
    damage: /\.scaleIO\.secretRef is absent$/u,
    why: 'an absent secret stays absent',
    row: 'an absent `secretRef` of a ScaleIO volume',
  },
  {
    kind: 'ResourceSlice',
    damage: / = \[\]$/u,
    why: 'an empty list is no value here',
    row: 'an empty list or map (a ResourceSlice with `devices: []`)',
  },
  {
    kind: 'ResourceSlice',
    damage: /\.step = "0"$/u,
    why: 'kube-apiserver divides by it and drops the connection',
    row: 'a step of 0 in the capacity of a device',
  },
  {
    kind: 'ResourceSlice',
    damage: /\.nodeSelectorTerms = \[/u,
    why: 'with the names of Go',
    row: 'objects in messages (duplicate ports and taints, success policies)',
  },
  {
    kind: 'Service',
    damage: /[nN]odePort = (?:-?1|70000)$/u,
    why: 'a dry run of kube-apiserver allocates nothing',
    row: 'a dry run of a Service',
  },
  {
    kind: 'Service',
    damage: /\.clusterIP = "10\.0\.0\.1"$/u,
    why: 'only a dry run of kube-apiserver names the range',
    row: 'a dry run of a Service',
  },
  {
    damage: /onExitCodes(?:\.values is absent| = \{\}|\.values = \[\])/u,
    why: 'an empty list is shown as a list',
    row: 'an empty map or list in a message',
  },
  {
    damage: /\.completions is absent$/u,
    why: 'kube-apiserver drops the connection',
    row: 'an Indexed Job with a success policy and without completions',
  },
  {
    damage: /\.completionMode|\.managedBy = ""$/u,
    why: 'with the names of Go',
    row: 'objects in messages (duplicate ports and taints, success policies)',
  },
];

/** The same for damages of an object that exists. */
export const KNOWN_CHANGES: readonly KnownDamage[] = [
  ...KNOWN_DAMAGES,
  {
    kind: 'ResourceSlice',
    damage: /\.(?:bools|ints|strings|versions|nodeAllocatableResourceMappings) = /u,
    why: 'a field that is dropped is no change here',
    row: 'a dropped field (its feature gate is off; `deprecatedTopology`), in a change',
  },
  {
    kind: 'EndpointSlice',
    damage: /\.deprecatedTopology/u,
    why: 'a field that is dropped is no change here',
    row: 'a dropped field (its feature gate is off; `deprecatedTopology`), in a change',
  },
  {
    kind: 'ReplicationController',
    damage: /\.template\./u,
    why: 'kube-apiserver warns of the old template',
    row: 'a changed ReplicationController',
  },
  {
    damage: /\.seLinuxChangePolicy/u,
    why: 'MountOption is named as supported, and refused',
    row: 'an illegal `seLinuxChangePolicy`, in a change',
  },
  {
    kind: 'Pod',
    damage: /^\.spec\.schedulingGates = /u,
    why: 'a gate without a name is refused once',
    row: 'a gate without a name, added to a Pod',
  },
  {
    kind: 'Pod',
    damage: /\.allocatedResourcesStatus/u,
    why: 'the health of devices is not checked',
    row: 'the health of devices in the status of a Pod',
  },
  {
    kind: 'Service',
    damage: /\.ports = /u,
    why: 'kube-apiserver answers 500 when a node port is named twice',
    row: 'two ports of a Service with one node port, in a change',
  },
  {
    kind: 'Service',
    damage: /\.type = "NodePort"$/u,
    why: 'a dry run of kube-apiserver chooses a port beyond its range',
    row: 'a dry run of a Service',
  },
  {
    kind: 'Node',
    damage: /\.configSource/u,
    why: 'a removed field is warned of in changes, too',
    row: 'a removed field of a Node (`configSource`), in a change',
  },
  {
    kind: 'PersistentVolume',
    damage: /\.matchExpressions\[0\]\.key/u,
    why: 'an empty key is taken for a beta label',
    row: 'an empty key in the node affinity of a stored volume',
  },
];

/** Is a damage of an object of the kind one of these? */
export function knownDamages(all: readonly KnownDamage[], kind: string): (damage: string) => boolean {
  const own = all.filter((one) => one.kind === undefined || one.kind === kind);
  return (damage) => own.some((one) => one.damage.test(damage));
}
