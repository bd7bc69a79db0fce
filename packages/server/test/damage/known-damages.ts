/** Damages that the two servers answer differently, each with the reason. docs/reference/differences.md has them, too. */

/** Where the answers differ. */
export interface KnownDamage {
  /** Default: any kind. */
  readonly kind?: string;
  readonly damage: RegExp;
  readonly why: string;
}

export const KNOWN_DAMAGES: readonly KnownDamage[] = [
  { damage: /\.caBundle = ""$/u, why: 'empty bytes are absent here' },
  {
    kind: 'CustomResourceDefinition',
    damage: /^\.spec(?: is absent| = (?:\{\}|"text")|\.versions (?:= \[|is absent)|\.conversion\.webhook = )/u,
    why: 'an absent list is shown as empty, and an empty webhook stays',
  },
  {
    kind: 'CustomResourceDefinition',
    damage: /openAPIV3Schema\.[$\w-]+ = (?:""|\[\])$/u,
    why: 'an empty value is none here',
  },
  {
    kind: 'CustomResourceDefinition',
    damage: /\.number\.type /u,
    why: 'the format is warned of although it is refused',
  },
  { kind: 'CustomResourceDefinition', damage: /\.(?:enum = "text"|maxLength = -1)$/u, why: 'with the names of Go' },
  { kind: 'CertificateSigningRequest', damage: /\.request = ""$/u, why: 'empty bytes are absent here' },
  { damage: /\.securityContext\.privileged = true$/u, why: 'with the names of Go' },
  { damage: /\.runtimeClassName = ""$/u, why: 'kube-apiserver answers 500' },
  { damage: /\.image = \{\}$/u, why: 'told beside the volume type that is too many' },
  { damage: /(?:\.volumeClaimTemplate|^\.spec)\.metadata\.\w+ = \[\]$/u, why: 'an empty list is no value here' },
  { kind: 'Node', damage: /\.podCIDRs\[1\]/u, why: 'the words of a parser of Go' },
  { kind: 'Namespace', damage: /\.finalizers = \[.*"kubernetes"\]$/u, why: 'a finalizer is kept once' },
  { kind: 'PersistentVolume', damage: /\.scaleIO\.secretRef is absent$/u, why: 'an absent secret stays absent' },
  { kind: 'ResourceSlice', damage: / = \[\]$/u, why: 'an empty list is no value here' },
  { kind: 'ResourceSlice', damage: /\.step = "0"$/u, why: 'kube-apiserver divides by it and drops the connection' },
  { kind: 'ResourceSlice', damage: /\.nodeSelectorTerms = \[/u, why: 'with the names of Go' },
  { kind: 'Service', damage: /[nN]odePort = (?:-?1|70000)$/u, why: 'a dry run of kube-apiserver allocates nothing' },
  { kind: 'Service', damage: /\.clusterIP = "10\.0\.0\.1"$/u, why: 'only a dry run of kube-apiserver names the range' },
  { damage: /onExitCodes(?:\.values is absent| = \{\}|\.values = \[\])/u, why: 'an empty list is shown as a list' },
  { damage: /\.completions is absent$/u, why: 'kube-apiserver drops the connection' },
  { damage: /\.completionMode|\.managedBy = ""$/u, why: 'with the names of Go' },
];

/** The same for damages of an object that exists. */
export const KNOWN_CHANGES: readonly KnownDamage[] = [
  ...KNOWN_DAMAGES,
  {
    kind: 'ResourceSlice',
    damage: /\.(?:bools|ints|strings|versions|nodeAllocatableResourceMappings) = /u,
    why: 'a field that is dropped is no change here',
  },
  { kind: 'EndpointSlice', damage: /\.deprecatedTopology/u, why: 'a field that is dropped is no change here' },
  { kind: 'ReplicationController', damage: /\.template\./u, why: 'kube-apiserver warns of the old template' },
  { damage: /\.seLinuxChangePolicy/u, why: 'MountOption is named as supported, and refused' },
  { kind: 'Pod', damage: /^\.spec\.schedulingGates = /u, why: 'a gate without a name is refused once' },
  { kind: 'Pod', damage: /\.allocatedResourcesStatus/u, why: 'the health of devices is not checked' },
  { kind: 'Service', damage: /\.ports = /u, why: 'kube-apiserver answers 500 when a node port is named twice' },
  {
    kind: 'Service',
    damage: /\.type = "NodePort"$/u,
    why: 'a dry run of kube-apiserver chooses a port beyond its range',
  },
  { kind: 'Node', damage: /\.configSource/u, why: 'a removed field is warned of in changes, too' },
  { kind: 'PersistentVolume', damage: /\.matchExpressions\[0\]\.key/u, why: 'an empty key is taken for a beta label' },
];

/** Is a damage of an object of the kind one of these? */
export function knownDamages(all: readonly KnownDamage[], kind: string): (damage: string) => boolean {
  const own = all.filter((one) => one.kind === undefined || one.kind === kind);
  return (damage) => own.some((one) => one.damage.test(damage));
}
