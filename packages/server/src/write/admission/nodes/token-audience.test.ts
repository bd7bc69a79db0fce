import type { KubeObject } from '@listwatch/rules/internal';
import { describe, expect, it } from 'vitest';
import type { DynamicRequest } from '../../../contract/dynamic-admission.ts';
import { audienceProblem, type TokenAudienceParts } from './token-audience.ts';

const kube = (name: string, spec: object): KubeObject => ({ apiVersion: 'v1', kind: 'K', metadata: { name }, spec });
const driver = (name: string, ...audiences: readonly string[]): KubeObject =>
  kube(name, { tokenRequests: audiences.map((audience) => ({ audience })) });

/** What there is, by kind and then by namespace and name. */
const OBJECTS: Readonly<Record<string, Readonly<Record<string, KubeObject>>>> = {
  'storage/v1.CSIDriver': {
    '/vault.csi': driver('vault.csi', 'other', 'vault'),
    '/ebs.csi.aws.com': driver('ebs.csi.aws.com', 'vault'),
    '/plain.csi': driver('plain.csi'),
  },
  'core/v1.PersistentVolumeClaim': {
    'x/bound': kube('bound', { volumeName: 'of-csi' }),
    'x/migrated': kube('migrated', { volumeName: 'of-ebs' }),
    'x/lost': kube('lost', { volumeName: 'gone' }),
    'x/p-made': kube('p-made', { volumeName: 'of-csi' }),
  },
  'core/v1.PersistentVolume': {
    '/of-csi': kube('of-csi', { csi: { driver: 'vault.csi' } }),
    '/of-ebs': kube('of-ebs', { awsElasticBlockStore: {} }),
  },
};

function problemOf(
  volumes: readonly object[],
  audiences: readonly string[] = ['vault'],
  authorize: TokenAudienceParts['authorizer']['authorize'] = () => ({ allowed: false, reason: '' }),
): Promise<string | undefined> {
  const parts: TokenAudienceParts = {
    lookup: (type) => (namespace, name) => OBJECTS[type]?.[`${namespace}/${name}`],
    authorizer: { authorize },
  };
  const user = { name: 'system:node:n', groups: [] };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the rule reads these alone
  const request = { user, namespace: 'x', name: 'robot' } as unknown as DynamicRequest;
  const pod = { ...kube('p', { volumes }), metadata: { name: 'p', namespace: 'x' } };
  return audienceProblem(parts, request, audiences, pod);
}

const NOT_FOUND =
  'audience "vault" not found in pod spec volume, system:node:n is not authorized to request tokens for this audience';
const projected = (...sources: readonly object[]) => ({ name: 'v', projected: { sources } });
const claim = (claimName: string) => ({ name: 'v', persistentVolumeClaim: { claimName } });

describe('a token for an audience', () => {
  it.each<[string, readonly object[]]>([
    ['a projected volume', [projected({ configMap: {} }, { serviceAccountToken: { audience: 'vault' } })]],
    ['a CSI volume', [{ name: 'v', csi: { driver: 'vault.csi' } }]],
    ['the volume behind a claim', [claim('bound')]],
    ['a volume that a driver has taken over', [{ name: 'v', awsElasticBlockStore: {} }]],
    ['a claim of a volume that a driver has taken over', [claim('migrated')]],
    ['a claim that is made for the Pod', [{ name: 'made', ephemeral: { volumeClaimTemplate: {} } }]],
    ['the last of its volumes', [claim('none'), { name: 'e', emptyDir: {} }, claim('bound')]],
  ])('is given when %s needs it', async (_, volumes) => {
    expect(await problemOf(volumes)).toBeUndefined();
  });

  it.each<[string, readonly object[], string]>([
    [
      'no volume needs it',
      [{ name: 'e', emptyDir: {} }, projected({ serviceAccountToken: { audience: 'b' } })],
      NOT_FOUND,
    ],
    ['its driver asks for none', [{ name: 'v', csi: { driver: 'plain.csi' } }], NOT_FOUND],
    ['an ephemeral volume has no template', [{ name: 'made', ephemeral: {} }], NOT_FOUND],
    [
      'its driver is not there',
      [{ name: 'v', csi: { driver: 'no.csi' } }],
      'error validating audience "vault": csidriver.storage.k8s.io "no.csi" not found',
    ],
    [
      'its claim is not there',
      [claim('none')],
      'error validating audience "vault": persistentvolumeclaim "none" not found',
    ],
    [
      'the volume of its claim is not there',
      [claim('lost')],
      'error validating audience "vault": persistentvolume "gone" not found',
    ],
    [
      'several things are not there, each said once',
      [claim('none'), claim('none'), claim('lost')],
      'error validating audience "vault": [persistentvolumeclaim "none" not found, persistentvolume "gone" not found]',
    ],
  ])('is refused when %s', async (_, volumes, message) => {
    expect(await problemOf(volumes)).toBe(message);
  });

  it('that nobody names is that of the server', async () => {
    expect(await problemOf([projected({ serviceAccountToken: { path: 'p' } })], [])).toBeUndefined();
  });

  it('is one at most', async () => {
    expect(await problemOf([], ['a', 'b'])).toBe('node may only request 0 or 1 audiences');
  });

  it('that no volume needs is given to whom the authorizer allows it, by name', async () => {
    const asked: unknown[] = [];
    const given = await problemOf([], ['vault'], (attributes) => {
      asked.push(attributes);
      return { allowed: true };
    });
    expect(given).toBeUndefined();
    expect(asked).toMatchObject([
      {
        verb: 'request-serviceaccounts-token-audience',
        resource: 'vault',
        namespace: 'x',
        name: 'robot',
        isResource: true,
      },
    ]);
    const failing = problemOf([], ['vault'], () => {
      throw new Error('no answer');
    });
    expect(await failing).toBe(
      'audience "vault" not found in pod spec volume, error authorizing system:node:n to request tokens for this audience: no answer',
    );
  });
});
