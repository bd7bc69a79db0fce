/** POST on `serviceaccounts/{name}/token`: a signed token of the account. */

import { badRequest, conflict, type FieldError, fieldInvalid, invalid, isNotFound } from '@listwatch/api';
import { isJsonNumber, isRecord, type JsonRecord, listOf, numberOf, recordOf, textOf } from '@listwatch/api/values';
import { builtInKind, type KubeObject, virtualKind, wholeSeconds } from '@listwatch/rules/internal';
import { reportingStorage } from '../../answer/storage-failure.ts';
import type { ObjectClaim, ServiceAccountClaims, TokenIssuer } from '../../contract/service-account-token.ts';
import type { ResourceCall, VerbContext } from '../../contract/verb.ts';
import type { VirtualEndpoint } from '../../contract/virtual-endpoint.ts';
import { admitVirtual } from '../admission/dynamic/admit-virtual.ts';
import { computedAnswer } from './computed-answer.ts';
import { readStored } from './stored-read.ts';
import { readVirtualRequest } from './virtual-request.ts';

const TOKEN_REQUEST = { group: 'authentication.k8s.io', kind: 'TokenRequest' } as const;
const DEFAULT_SECONDS = 3600;
const MIN_SECONDS = 600;
const MAX_SECONDS = 2 ** 32;

/** The endpoint. A dry run gets a token too, as in Kubernetes: nothing is stored. */
export function tokenRequestEndpoint(tokens: TokenIssuer): VirtualEndpoint {
  return {
    definition: builtInKind('core/v1.ServiceAccount'),
    hasTable: false,
    answer: (context, call) =>
      reportingStorage(async () => {
        const kind = virtualKind('authentication/v1.TokenRequest');
        const { object: sent, options } = await readVirtualRequest(context, call, kind);
        const { definition, path, request } = call;
        await context.admission.requirePlace(call, sent, true);
        const object = await admitVirtual(context, call, kind, { object: sent, options });
        const account = await readStored(context, request, definition, path);
        requireName(path.name, object);
        const spec = recordOf(object['spec']);
        const expirationSeconds = secondsOf(spec);
        const asked = listOf(spec['audiences']).map(textOf);
        const audiences = asked.length > 0 ? asked : tokens.audiences;
        const claims = {
          namespace: path.namespace,
          serviceAccount: identity(account),
          ...(await boundClaims(context, call, spec['boundObjectRef'])),
        };
        const { token, expires } = await tokens.sign({ claims, audiences, expirationSeconds });
        request.audit?.annotate('authentication.kubernetes.io/issued-credential-id', `JTI=${tokenId(token)}`);
        const metadata = {
          ...object.metadata,
          ...identity(account),
          namespace: path.namespace,
          creationTimestamp: wholeSeconds(context.store.clock.now()),
        };
        const status = { token, expirationTimestamp: wholeSeconds(expires) };
        const answer = { ...object, metadata, spec: { ...spec, audiences, expirationSeconds }, status };
        return computedAnswer(call, kind, answer, { status: 201 });
      }),
  };
}

/** The `jti` of a token that this server has signed: it tells the token's requests apart in the audit log. */
function tokenId(token: string): string {
  const payload: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  return textOf(recordOf(payload)['jti']);
}

function requireName(name: string, { metadata }: KubeObject): void {
  if (metadata.name === undefined || metadata.name === '' || metadata.name === name) return;
  const detail = 'must match the service account name if specified';
  throw invalid(TOKEN_REQUEST, name, [fieldInvalid('metadata.name', metadata.name, detail)]);
}

function secondsOf(spec: JsonRecord): number {
  if (!isJsonNumber(spec['expirationSeconds'])) return DEFAULT_SECONDS;
  const seconds = numberOf(spec['expirationSeconds']);
  const errors: FieldError[] = [];
  const refuse = (why: string): unknown => errors.push(fieldInvalid('spec.expirationSeconds', seconds, why));
  if (seconds < MIN_SECONDS) refuse('may not specify a duration less than 10 minutes');
  if (seconds > MAX_SECONDS) refuse('may not specify a duration larger than 2^32 seconds');
  if (errors.length > 0) throw invalid(TOKEN_REQUEST, '', errors);
  return seconds;
}

function identity({ metadata: { name = '', uid = '' } }: KubeObject): ObjectClaim {
  return { name, uid };
}

/** The claims of the object that the token is bound to. */
async function boundClaims(
  context: VerbContext,
  { request, path }: ResourceCall,
  reference: unknown,
): Promise<Partial<ServiceAccountClaims>> {
  if (!isRecord(reference)) return {};
  const kind = textOf(reference['kind']);
  const read = async (type: string, namespace: string): Promise<KubeObject> => {
    const place = { namespace, name: textOf(reference['name']) };
    const found = await readStored(context, request, builtInKind(`core/v1.${type}`), place);
    requireUid(type, textOf(reference['uid']), found);
    return found;
  };
  switch (kind) {
    case 'Pod': {
      const pod = await read('Pod', path.namespace);
      const spec = recordOf(pod['spec']);
      if (textOf(spec['serviceAccountName']) !== path.name) {
        const account = JSON.stringify(path.name);
        throw badRequest(
          `cannot bind token for serviceaccount ${account} to pod running with different serviceaccount name.`,
        );
      }
      return { pod: identity(pod), node: await nodeClaim(context, request, textOf(spec['nodeName'])) };
    }
    case 'Secret':
      return { secret: identity(await read('Secret', path.namespace)) };
    case 'Node':
      return { node: identity(await read('Node', '')) };
    default:
      throw badRequest(
        `cannot bind token to object of type ${groupVersionText(textOf(reference['apiVersion']))}, Kind=${kind}`,
      );
  }
}

function requireUid(kind: string, wanted: string, { metadata: { name = '', uid = '' } }: KubeObject): void {
  if (wanted === '' || wanted === uid) return;
  const why = `the UID in the bound object reference (${wanted}) does not match the UID in record. The object might have been deleted and then recreated`;
  throw conflict({ group: '', plural: kind }, name, why);
}

/** The node that a Pod runs on; without a uid when that node is not known. */
async function nodeClaim(
  context: VerbContext,
  request: ResourceCall['request'],
  name: string,
): Promise<ObjectClaim | undefined> {
  if (name === '') return undefined;
  try {
    return identity(await readStored(context, request, builtInKind('core/v1.Node'), { namespace: '', name }));
  } catch (error) {
    if (isNotFound(error)) return { name, uid: '' };
    throw error;
  }
}

/** `v1` as Go prints it: `/v1`. */
function groupVersionText(apiVersion: string): string {
  return apiVersion.includes('/') ? apiVersion : `/${apiVersion}`;
}
