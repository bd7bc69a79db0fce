/** Damages that the two servers answer differently, each with the reason. docs/reference/differences.md has them, too. */

/** Where the answers differ. */
export interface KnownDamage {
  /** Default: any kind. */
  readonly kind?: string;
  readonly damage: RegExp;
  readonly why: string;
}

const NOT_YET = 'the rule is not implemented yet';

export const KNOWN_DAMAGES: readonly KnownDamage[] = [
  { damage: /\.runtimeClassName = ""$/u, why: 'kube-apiserver answers 500' },
  { damage: /\.securityContext\.privileged = true$/u, why: 'privileged containers are allowed here' },
  { damage: /\.image = \{\}$/u, why: 'told beside the volume type that is too many' },
  { damage: /\.ephemeral\.volumeClaimTemplate\.metadata\.\w+ = \[\]$/u, why: 'an empty list is no value here' },
  { damage: /\.lifecycle\.preStop\.sleep|\.terminationGracePeriodSeconds/u, why: NOT_YET },
  { damage: /\.volumes\[7\]\.name/u, why: NOT_YET },
  { damage: /\.dnsConfig\.searches|\.hostUsers = false/u, why: NOT_YET },
  { damage: /\.fileKeyRef = \{\}$/u, why: NOT_YET },
  { kind: 'Node', damage: /\.podCIDRs\[1\]/u, why: 'the words of a parser of Go' },
  { kind: 'Namespace', damage: /\.finalizers = \[.*"kubernetes"\]$/u, why: 'a finalizer is kept once' },
  { kind: 'PersistentVolumeClaim', damage: /\.limits\.storage = "-1"|dataSourceRef\.namespace = ""/u, why: NOT_YET },
  { kind: 'PersistentVolume', damage: /\.iscsi\.targetPortal/u, why: NOT_YET },
  { kind: 'PersistentVolume', damage: /\.scaleIO\.secretRef is absent$/u, why: 'an absent secret stays absent' },
  { kind: 'Service', damage: /[nN]odePort = (?:-?1|70000)$/u, why: 'a dry run of kube-apiserver allocates nothing' },
  { kind: 'Service', damage: /\.clusterIP = "10\.0\.0\.1"|internalTrafficPolicy = "/u, why: 'other words' },
  { kind: 'StatefulSet', damage: /\.volumeClaimTemplates(?:\[0\]\.(?:kind|apiVersion))? /u, why: NOT_YET },
  { damage: /onExitCodes(?:\.values is absent| = \{\}|\.values = \[\])/u, why: 'an empty list is shown as a list' },
  { damage: /\.completions is absent$/u, why: 'kube-apiserver drops the connection' },
  { damage: /\.completionMode|\.managedBy = ""$/u, why: 'with the names of Go' },
];
