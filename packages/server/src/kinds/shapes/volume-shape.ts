/** The shapes of the volumes of a pod. */

import { LABEL_SELECTOR, OBJECT_META } from './object-meta-shape.ts';
import {
  LOCAL_OBJECT_REFERENCE,
  OBJECT_FIELD_SELECTOR,
  RESOURCE_FIELD_SELECTOR,
  TYPED_LOCAL_OBJECT_REFERENCE,
  TYPED_OBJECT_REFERENCE,
} from './reference-shape.ts';
import { list, map, type StructShape, struct } from './shape.ts';

const HOST_PATH_VOLUME_SOURCE: StructShape = struct('HostPathVolumeSource', {
  path: 'string!',
  type: '*string',
});

const EMPTY_DIR_VOLUME_SOURCE: StructShape = struct('EmptyDirVolumeSource', {
  medium: 'string',
  sizeLimit: '*quantity',
});

const GCE_PERSISTENT_DISK_VOLUME_SOURCE: StructShape = struct('GCEPersistentDiskVolumeSource', {
  pdName: 'string!',
  fsType: 'string',
  partition: 'int32',
  readOnly: 'bool',
});

const AWS_ELASTIC_BLOCK_STORE_VOLUME_SOURCE: StructShape = struct('AWSElasticBlockStoreVolumeSource', {
  volumeID: 'string!',
  fsType: 'string',
  partition: 'int32',
  readOnly: 'bool',
});

const GIT_REPO_VOLUME_SOURCE: StructShape = struct('GitRepoVolumeSource', {
  repository: 'string!',
  revision: 'string',
  directory: 'string',
});

const KEY_TO_PATH: StructShape = struct('KeyToPath', {
  key: 'string!',
  path: 'string!',
  mode: '*int32',
});

const SECRET_VOLUME_SOURCE: StructShape = struct('SecretVolumeSource', {
  secretName: 'string',
  items: list(KEY_TO_PATH),
  defaultMode: '*int32',
  optional: '*bool',
});

const NFS_VOLUME_SOURCE: StructShape = struct('NFSVolumeSource', {
  server: 'string!',
  path: 'string!',
  readOnly: 'bool',
});

const ISCSI_VOLUME_SOURCE: StructShape = struct('ISCSIVolumeSource', {
  targetPortal: 'string!',
  iqn: 'string!',
  lun: 'int32!',
  iscsiInterface: 'string',
  fsType: 'string',
  readOnly: 'bool',
  portals: list('string'),
  chapAuthDiscovery: 'bool',
  'chapAuthSession=11': 'bool',
  'secretRef=10': LOCAL_OBJECT_REFERENCE,
  'initiatorName=12': '*string',
});

const GLUSTERFS_VOLUME_SOURCE: StructShape = struct('GlusterfsVolumeSource', {
  endpoints: 'string!',
  path: 'string!',
  readOnly: 'bool',
});

const PERSISTENT_VOLUME_CLAIM_VOLUME_SOURCE: StructShape = struct('PersistentVolumeClaimVolumeSource', {
  claimName: 'string!',
  readOnly: 'bool',
});

const RBD_VOLUME_SOURCE: StructShape = struct('RBDVolumeSource', {
  monitors: list('string', { always: true }),
  image: 'string!',
  fsType: 'string',
  pool: 'string',
  user: 'string',
  keyring: 'string',
  secretRef: LOCAL_OBJECT_REFERENCE,
  readOnly: 'bool',
});

const FLEX_VOLUME_SOURCE: StructShape = struct('FlexVolumeSource', {
  driver: 'string!',
  fsType: 'string',
  secretRef: LOCAL_OBJECT_REFERENCE,
  readOnly: 'bool',
  options: map('string'),
});

const CINDER_VOLUME_SOURCE: StructShape = struct('CinderVolumeSource', {
  volumeID: 'string!',
  fsType: 'string',
  readOnly: 'bool',
  secretRef: LOCAL_OBJECT_REFERENCE,
});

const CEPH_FS_VOLUME_SOURCE: StructShape = struct('CephFSVolumeSource', {
  monitors: list('string', { always: true }),
  path: 'string',
  user: 'string',
  secretFile: 'string',
  secretRef: LOCAL_OBJECT_REFERENCE,
  readOnly: 'bool',
});

const FLOCKER_VOLUME_SOURCE: StructShape = struct('FlockerVolumeSource', {
  datasetName: 'string',
  datasetUUID: 'string',
});

const DOWNWARD_API_VOLUME_FILE: StructShape = struct('DownwardAPIVolumeFile', {
  path: 'string!',
  fieldRef: OBJECT_FIELD_SELECTOR,
  resourceFieldRef: RESOURCE_FIELD_SELECTOR,
  mode: '*int32',
});

const DOWNWARD_API_VOLUME_SOURCE: StructShape = struct('DownwardAPIVolumeSource', {
  items: list(DOWNWARD_API_VOLUME_FILE),
  defaultMode: '*int32',
});

const FC_VOLUME_SOURCE: StructShape = struct('FCVolumeSource', {
  targetWWNs: list('string'),
  lun: '*int32',
  fsType: 'string',
  readOnly: 'bool',
  wwids: list('string'),
});

const AZURE_FILE_VOLUME_SOURCE: StructShape = struct('AzureFileVolumeSource', {
  secretName: 'string!',
  shareName: 'string!',
  readOnly: 'bool',
});

const CONFIG_MAP_VOLUME_SOURCE: StructShape = struct('ConfigMapVolumeSource', {
  'name=1.1': 'string',
  'items=2': list(KEY_TO_PATH),
  defaultMode: '*int32',
  optional: '*bool',
});

const VSPHERE_VIRTUAL_DISK_VOLUME_SOURCE: StructShape = struct('VsphereVirtualDiskVolumeSource', {
  volumePath: 'string!',
  fsType: 'string',
  storagePolicyName: 'string',
  storagePolicyID: 'string',
});

const QUOBYTE_VOLUME_SOURCE: StructShape = struct('QuobyteVolumeSource', {
  registry: 'string!',
  volume: 'string!',
  readOnly: 'bool',
  user: 'string',
  group: 'string',
  tenant: 'string',
});

const AZURE_DISK_VOLUME_SOURCE: StructShape = struct('AzureDiskVolumeSource', {
  diskName: 'string!',
  diskURI: 'string!',
  cachingMode: '*string',
  fsType: '*string',
  readOnly: '*bool',
  kind: '*string',
});

const PHOTON_PERSISTENT_DISK_VOLUME_SOURCE: StructShape = struct('PhotonPersistentDiskVolumeSource', {
  pdID: 'string!',
  fsType: 'string',
});

const SECRET_PROJECTION: StructShape = struct('SecretProjection', {
  'name=1.1': 'string',
  'items=2': list(KEY_TO_PATH),
  'optional=4': '*bool',
});

const DOWNWARD_API_PROJECTION: StructShape = struct('DownwardAPIProjection', {
  items: list(DOWNWARD_API_VOLUME_FILE),
});

const CONFIG_MAP_PROJECTION: StructShape = struct('ConfigMapProjection', {
  'name=1.1': 'string',
  'items=2': list(KEY_TO_PATH),
  'optional=4': '*bool',
});

const SERVICE_ACCOUNT_TOKEN_PROJECTION: StructShape = struct('ServiceAccountTokenProjection', {
  audience: 'string',
  expirationSeconds: '*int64',
  path: 'string!',
});

const CLUSTER_TRUST_BUNDLE_PROJECTION: StructShape = struct('ClusterTrustBundleProjection', {
  name: '*string',
  signerName: '*string',
  labelSelector: LABEL_SELECTOR,
  'optional=5': '*bool',
  'path=4': 'string!',
});

const POD_CERTIFICATE_PROJECTION: StructShape = struct('PodCertificateProjection', {
  signerName: 'string',
  keyType: 'string',
  maxExpirationSeconds: '*int32',
  credentialBundlePath: 'string',
  keyPath: 'string',
  certificateChainPath: 'string',
  userAnnotations: map('string'),
});

const VOLUME_PROJECTION: StructShape = struct('VolumeProjection', {
  secret: SECRET_PROJECTION,
  downwardAPI: DOWNWARD_API_PROJECTION,
  configMap: CONFIG_MAP_PROJECTION,
  serviceAccountToken: SERVICE_ACCOUNT_TOKEN_PROJECTION,
  clusterTrustBundle: CLUSTER_TRUST_BUNDLE_PROJECTION,
  podCertificate: POD_CERTIFICATE_PROJECTION,
});

const PROJECTED_VOLUME_SOURCE: StructShape = struct('ProjectedVolumeSource', {
  sources: list(VOLUME_PROJECTION, { always: true }),
  defaultMode: '*int32',
});

const PORTWORX_VOLUME_SOURCE: StructShape = struct('PortworxVolumeSource', {
  volumeID: 'string!',
  fsType: 'string',
  readOnly: 'bool',
});

const SCALE_IO_VOLUME_SOURCE: StructShape = struct('ScaleIOVolumeSource', {
  gateway: 'string!',
  system: 'string!',
  secretRef: LOCAL_OBJECT_REFERENCE,
  sslEnabled: 'bool',
  protectionDomain: 'string',
  storagePool: 'string',
  storageMode: 'string',
  volumeName: 'string',
  fsType: 'string',
  readOnly: 'bool',
});

const STORAGE_OS_VOLUME_SOURCE: StructShape = struct('StorageOSVolumeSource', {
  volumeName: 'string',
  volumeNamespace: 'string',
  fsType: 'string',
  readOnly: 'bool',
  secretRef: LOCAL_OBJECT_REFERENCE,
});

const CSI_VOLUME_SOURCE: StructShape = struct('CSIVolumeSource', {
  driver: 'string!',
  readOnly: '*bool',
  fsType: '*string',
  volumeAttributes: map('string'),
  nodePublishSecretRef: LOCAL_OBJECT_REFERENCE,
});

const VOLUME_RESOURCE_REQUIREMENTS: StructShape = struct('VolumeResourceRequirements', {
  limits: map('quantity'),
  requests: map('quantity'),
});

const PERSISTENT_VOLUME_CLAIM_SPEC: StructShape = struct('PersistentVolumeClaimSpec', {
  accessModes: list('string'),
  'selector=4': LABEL_SELECTOR,
  'resources=2': { ...VOLUME_RESOURCE_REQUIREMENTS, always: true },
  volumeName: 'string',
  'storageClassName=5': '*string',
  volumeMode: '*string',
  dataSource: TYPED_LOCAL_OBJECT_REFERENCE,
  dataSourceRef: TYPED_OBJECT_REFERENCE,
  volumeAttributesClassName: '*string',
});

const PERSISTENT_VOLUME_CLAIM_TEMPLATE: StructShape = struct('PersistentVolumeClaimTemplate', {
  metadata: { ...OBJECT_META, always: true },
  spec: { ...PERSISTENT_VOLUME_CLAIM_SPEC, always: true },
});

const EPHEMERAL_VOLUME_SOURCE: StructShape = struct('EphemeralVolumeSource', {
  volumeClaimTemplate: PERSISTENT_VOLUME_CLAIM_TEMPLATE,
});

const IMAGE_VOLUME_SOURCE: StructShape = struct('ImageVolumeSource', {
  reference: 'string',
  pullPolicy: 'string',
});

/** The shape of a Volume. */
export const VOLUME: StructShape = struct('Volume', {
  name: 'string!',
  'hostPath=2.1': HOST_PATH_VOLUME_SOURCE,
  emptyDir: EMPTY_DIR_VOLUME_SOURCE,
  gcePersistentDisk: GCE_PERSISTENT_DISK_VOLUME_SOURCE,
  awsElasticBlockStore: AWS_ELASTIC_BLOCK_STORE_VOLUME_SOURCE,
  gitRepo: GIT_REPO_VOLUME_SOURCE,
  secret: SECRET_VOLUME_SOURCE,
  nfs: NFS_VOLUME_SOURCE,
  iscsi: ISCSI_VOLUME_SOURCE,
  glusterfs: GLUSTERFS_VOLUME_SOURCE,
  persistentVolumeClaim: PERSISTENT_VOLUME_CLAIM_VOLUME_SOURCE,
  rbd: RBD_VOLUME_SOURCE,
  flexVolume: FLEX_VOLUME_SOURCE,
  cinder: CINDER_VOLUME_SOURCE,
  cephfs: CEPH_FS_VOLUME_SOURCE,
  flocker: FLOCKER_VOLUME_SOURCE,
  downwardAPI: DOWNWARD_API_VOLUME_SOURCE,
  fc: FC_VOLUME_SOURCE,
  azureFile: AZURE_FILE_VOLUME_SOURCE,
  configMap: CONFIG_MAP_VOLUME_SOURCE,
  vsphereVolume: VSPHERE_VIRTUAL_DISK_VOLUME_SOURCE,
  quobyte: QUOBYTE_VOLUME_SOURCE,
  azureDisk: AZURE_DISK_VOLUME_SOURCE,
  photonPersistentDisk: PHOTON_PERSISTENT_DISK_VOLUME_SOURCE,
  'projected=2.26': PROJECTED_VOLUME_SOURCE,
  'portworxVolume=2.24': PORTWORX_VOLUME_SOURCE,
  scaleIO: SCALE_IO_VOLUME_SOURCE,
  'storageos=2.27': STORAGE_OS_VOLUME_SOURCE,
  csi: CSI_VOLUME_SOURCE,
  ephemeral: EPHEMERAL_VOLUME_SOURCE,
  image: IMAGE_VOLUME_SOURCE,
});
