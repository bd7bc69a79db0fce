/** Authorization of a request. */
import { accessDenied, firstValue, PARAM, parseFieldSelector, parseLabelSelector } from '@listwatch/api';
import type { UserInfo } from '../contract/api-request.ts';
import type {
  AccessAttributes,
  AccessDecision,
  Authorizer,
  NonResourceRule,
  ResourceRule,
} from '../contract/authorization.ts';
import type { Route } from '../contract/route.ts';
import { fieldRequirements, labelRequirements, parsedRequirements } from '../contract/selector-requirements.ts';
import { SYSTEM } from './authenticator.ts';

const ALLOWED: AccessDecision = { allowed: true };
const REFUSED: AccessDecision = { allowed: false };

/** Whom a set of rules is for. */
interface GroupRules {
  readonly groups: readonly string[];
  readonly resourceRules: readonly ResourceRule[];
  readonly nonResourceRules: readonly NonResourceRule[];
}

const HEALTH_AND_VERSION = ['/healthz', '/livez', '/readyz', '/version', '/version/'];

/** The rights that every cluster grants: the default roles of Kubernetes that are bound to groups. */
const DEFAULT_RULES: readonly GroupRules[] = [
  {
    groups: [SYSTEM.masters],
    resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
    nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
  },
  {
    groups: [SYSTEM.authenticated],
    resourceRules: [
      {
        verbs: ['create'],
        apiGroups: ['authorization.k8s.io'],
        resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'],
      },
      { verbs: ['create'], apiGroups: ['authentication.k8s.io'], resources: ['selfsubjectreviews'] },
    ],
    nonResourceRules: [
      {
        verbs: ['get'],
        nonResourceURLs: ['/api', '/api/*', '/apis', '/apis/*', ...HEALTH_AND_VERSION, '/openapi', '/openapi/*'],
      },
    ],
  },
  {
    groups: [SYSTEM.unauthenticated],
    resourceRules: [],
    nonResourceRules: [{ verbs: ['get'], nonResourceURLs: HEALTH_AND_VERSION }],
  },
  {
    groups: ['system:serviceaccounts'],
    resourceRules: [],
    nonResourceRules: [
      { verbs: ['get'], nonResourceURLs: ['/.well-known/openid-configuration', '/openid/v1/jwks', '/openid/v1/jwks/'] },
    ],
  },
];

/**
 * Allows everything to `system:masters`. Authenticated users may read discovery, health and version and ask what they may
 * do; everybody else may only read health and version.
 */
export function mastersAuthorizer(): Authorizer {
  return {
    authorize: (attributes) => {
      const { user } = attributes;
      if (user.groups.includes(SYSTEM.masters)) return ALLOWED;
      return rulesOf(user).some((rules) => allows(rules, attributes)) ? ALLOWED : REFUSED;
    },
    rules: (user) => {
      const rules = rulesOf(user);
      return {
        resourceRules: rules.flatMap(({ resourceRules }) => resourceRules),
        nonResourceRules: rules.flatMap(({ nonResourceRules }) => nonResourceRules),
      };
    },
  };
}

function rulesOf(user: UserInfo): readonly GroupRules[] {
  return DEFAULT_RULES.filter(({ groups }) => groups.some((group) => user.groups.includes(group)));
}

function allows({ resourceRules, nonResourceRules }: GroupRules, attributes: AccessAttributes): boolean {
  const { verb, group, resource, subresource, path } = attributes;
  if (attributes.isResource) {
    const wanted = subresource === '' ? resource : `${resource}/${subresource}`;
    return resourceRules.some(
      ({ verbs, apiGroups, resources }) => has(verbs, verb) && has(apiGroups, group) && has(resources, wanted),
    );
  }
  // Health checks are often asked with HEAD, which Kubernetes' roles leave out.
  const asked = verb === 'head' && HEALTH_AND_VERSION.includes(path) ? 'get' : verb;
  return nonResourceRules.some(
    ({ verbs, nonResourceURLs }) => has(verbs, asked) && nonResourceURLs.some((url) => matchesPath(url, path)),
  );
}

function has(values: readonly string[], value: string): boolean {
  return values.includes('*') || values.includes(value);
}

function matchesPath(url: string, path: string): boolean {
  return url.endsWith('*') ? path.startsWith(url.slice(0, -1)) : url === path;
}

/** The attributes of a request. */
export function accessAttributes(route: Route, user: UserInfo): AccessAttributes {
  const { path, rawPath, verb, name, query } = route;
  const decoded = decodedPath(rawPath);
  if (path.type !== 'resource') {
    const none = { group: '', version: '', resource: '', subresource: '', namespace: '', name: '' };
    return { user, verb, isResource: false, ...none, path: decoded };
  }
  const { group, version, resource, subresource, namespace } = path;
  const target = { group, version, resource, subresource, namespace, name, path: decoded };
  if (path.prefix !== undefined || !SELECTING_VERBS.has(verb)) return { user, verb, isResource: true, ...target };
  const fields = firstValue(query, PARAM.fieldSelector);
  const labels = firstValue(query, PARAM.labelSelector);
  if (!fields && !labels) return { user, verb, isResource: true, ...target };
  return new SelectingAttributes({ user, verb, isResource: true, ...target }, fields, labels);
}

/** Parses the selectors when asked for: most authorizers do not look at them, and strangers can make them long. */
class SelectingAttributes implements AccessAttributes {
  readonly user: UserInfo;
  readonly verb: string;
  readonly isResource: boolean;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly path: string;
  readonly #fields: string | undefined;
  readonly #labels: string | undefined;

  constructor(plain: AccessAttributes, fields: string | undefined, labels: string | undefined) {
    this.user = plain.user;
    this.verb = plain.verb;
    this.isResource = plain.isResource;
    this.group = plain.group;
    this.version = plain.version;
    this.resource = plain.resource;
    this.subresource = plain.subresource;
    this.namespace = plain.namespace;
    this.name = plain.name;
    this.path = plain.path;
    this.#fields = fields;
    this.#labels = labels;
  }

  get fieldSelector(): AccessAttributes['fieldSelector'] {
    return parsedRequirements(this.#fields, (text) => fieldRequirements(parseFieldSelector(text)));
  }

  get labelSelector(): AccessAttributes['labelSelector'] {
    return parsedRequirements(this.#labels, (text) => labelRequirements(parseLabelSelector(text)));
  }
}

const SELECTING_VERBS: ReadonlySet<string> = new Set(['list', 'watch', 'deletecollection']);

/** Throws the 403 `StatusError` unless the authorizer allows it. */
export async function authorize(authorizer: Authorizer, attributes: AccessAttributes): Promise<void> {
  const decision = await authorizer.authorize(attributes);
  if (decision.allowed) return;
  const { user, verb, isResource, group, resource, subresource, namespace, name, path } = attributes;
  const target = isResource ? { resource: { group, plural: resource }, subresource, namespace, name } : { path };
  throw accessDenied({ user: user.name, verb, ...target }, decision.reason);
}

/** The path with its percent signs decoded, where that is possible. */
export function decodedPath(path: string): string {
  try {
    return path.includes('%') ? decodeURIComponent(path) : path;
  } catch {
    return path;
  }
}
