/** Damages that the two servers answer differently, each with the reason. docs/reference/differences.md has them, too. */

/** Where the answers differ. */
export interface KnownDamage {
  /** Default: any kind. */
  readonly kind?: string;
  readonly damage: RegExp;
  readonly why: string;
}

export const KNOWN_DAMAGES: readonly KnownDamage[] = [
  { damage: /\.runtimeClassName = ""$/u, why: 'kube-apiserver answers 500' },
  { damage: /\.securityContext\.privileged = true$/u, why: 'privileged containers are allowed here' },
  { damage: /\.image = \{\}$/u, why: 'told beside the volume type that is too many' },
  { damage: /\.ephemeral\.volumeClaimTemplate\.metadata\.\w+ = \[\]$/u, why: 'an empty list is no value here' },
  { kind: 'Node', damage: /\.podCIDRs\[1\]/u, why: 'the words of a parser of Go' },
  { kind: 'Namespace', damage: /\.finalizers = \[.*"kubernetes"\]$/u, why: 'a finalizer is kept once' },
  { kind: 'PersistentVolume', damage: /\.scaleIO\.secretRef is absent$/u, why: 'an absent secret stays absent' },
  { kind: 'Service', damage: /[nN]odePort = (?:-?1|70000)$/u, why: 'a dry run of kube-apiserver allocates nothing' },
  { kind: 'Service', damage: /\.clusterIP = "10\.0\.0\.1"$/u, why: 'only a dry run of kube-apiserver names the range' },
  { damage: /onExitCodes(?:\.values is absent| = \{\}|\.values = \[\])/u, why: 'an empty list is shown as a list' },
  { damage: /\.completions is absent$/u, why: 'kube-apiserver drops the connection' },
  { damage: /\.completionMode|\.managedBy = ""$/u, why: 'with the names of Go' },
];
