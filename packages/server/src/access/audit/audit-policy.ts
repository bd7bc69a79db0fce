/** The audit policy of a file: `audit.k8s.io/v1` Policy. Read once, when the server starts. */

import {
  type FieldError,
  fieldErrorText,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
  fieldTypeInvalid,
  ListWatchError,
} from '@listwatch/api';
import { isRecord, type JsonRecord } from '@listwatch/api/values';
import { AUDIT_LEVELS, AUDIT_STAGES, type AuditLevel, type AuditStage } from './audit-level.ts';

/** Resources of one group. */
export interface AuditedResources {
  /** `''` is the core group, `*` is every group. */
  readonly group: string;
  /** `pods`, `pods/log`, `pods/*` (pods and all their subresources), `*` + `/scale`, `*`. None: all of the group. */
  readonly resources: readonly string[];
  /** None: every name. */
  readonly resourceNames: readonly string[];
}

/** One rule. What is empty does not restrict it. */
export interface AuditRule {
  readonly level: AuditLevel;
  readonly users: readonly string[];
  readonly userGroups: readonly string[];
  readonly verbs: readonly string[];
  readonly resources: readonly AuditedResources[];
  /** `''` is the cluster scope. */
  readonly namespaces: readonly string[];
  /** `*` at the end stands for anything. */
  readonly nonResourceURLs: readonly string[];
  readonly omitStages: readonly AuditStage[];
  /** Undefined: as the policy says. */
  readonly omitManagedFields: boolean | undefined;
}

/** What is recorded of which requests: the first rule that matches decides; without one nothing is. */
export interface AuditPolicy {
  readonly rules: readonly AuditRule[];
  readonly omitStages: readonly AuditStage[];
  readonly omitManagedFields: boolean;
  /** What the file says and nobody reads. */
  readonly warnings: readonly string[];
}

/** A policy that cannot be used. */
export class AuditPolicyError extends ListWatchError {
  override readonly code = 'AUDIT_POLICY';
}

const API_VERSION = 'audit.k8s.io/v1';
const POLICY_FIELDS = ['apiVersion', 'kind', 'metadata', 'rules', 'omitStages', 'omitManagedFields'];
const RULE_FIELDS = [
  'level',
  'users',
  'userGroups',
  'verbs',
  'resources',
  'namespaces',
  'nonResourceURLs',
  'omitStages',
  'omitManagedFields',
];
const RESOURCE_FIELDS = ['group', 'resources', 'resourceNames'];

/** Reads a policy, given as the decoded document. Throws an `AuditPolicyError` that names every field that is wrong. */
export function readAuditPolicy(document: unknown): AuditPolicy {
  if (!isRecord(document)) throw new AuditPolicyError('failed decoding: the file holds no object');
  const { apiVersion, kind } = document;
  if (apiVersion !== API_VERSION || kind !== 'Policy') {
    throw new AuditPolicyError(`unknown group version field ${shown(apiVersion)}, Kind=${shown(kind)} in policy`);
  }
  return new PolicyReader().read(document);
}

class PolicyReader {
  readonly #errors: FieldError[] = [];
  readonly #warnings: string[] = [];

  read(document: JsonRecord): AuditPolicy {
    this.#know(document, '', POLICY_FIELDS);
    const rules = this.#list(document['rules'], 'rules').map((rule, index) => this.#rule(rule, `rules[${index}]`));
    const omitStages = this.#stages(document['omitStages'], 'omitStages');
    const omitManagedFields = this.#flag(document['omitManagedFields'], 'omitManagedFields') ?? false;
    if (this.#errors.length > 0) {
      const texts = this.#errors.slice(0, SHOWN_ERRORS).map(fieldErrorText);
      throw new AuditPolicyError(texts.length === 1 ? texts.join('') : `[${texts.join(', ')}]`);
    }
    if (rules.length === 0) throw new AuditPolicyError('loaded illegal policy with 0 rules');
    return { rules, omitStages, omitManagedFields, warnings: this.#warnings };
  }

  #rule(value: unknown, at: string): AuditRule {
    const rule = this.#record(value, at, RULE_FIELDS);
    const read: AuditRule = {
      level: this.#level(rule['level'], `${at}.level`),
      users: this.#texts(rule['users'], `${at}.users`),
      userGroups: this.#texts(rule['userGroups'], `${at}.userGroups`),
      verbs: this.#texts(rule['verbs'], `${at}.verbs`),
      resources: this.#resources(rule['resources'], `${at}.resources`),
      namespaces: this.#texts(rule['namespaces'], `${at}.namespaces`),
      nonResourceURLs: this.#paths(rule['nonResourceURLs'], `${at}.nonResourceURLs`),
      omitStages: this.#stages(rule['omitStages'], `${at}.omitStages`),
      omitManagedFields: this.#flag(rule['omitManagedFields'], `${at}.omitManagedFields`),
    };
    if (read.nonResourceURLs.length > 0 && (read.resources.length > 0 || read.namespaces.length > 0)) {
      const why = 'rules cannot apply to both regular resources and non-resource URLs';
      this.#errors.push(fieldInvalid(`${at}.nonResourceURLs`, read.nonResourceURLs, why));
    }
    return read;
  }

  #level(value: unknown, at: string): AuditLevel {
    const level = AUDIT_LEVELS.find((one) => one === value);
    if (level !== undefined) return level;
    const isMissing = value === undefined || value === '' || value === null;
    this.#errors.push(isMissing ? fieldRequired(at) : fieldNotSupported(at, value, AUDIT_LEVELS));
    return 'None';
  }

  #resources(value: unknown, at: string): readonly AuditedResources[] {
    return this.#list(value, at).map((one) => {
      const entry = this.#record(one, at, RESOURCE_FIELDS);
      const group = entry['group'] ?? '';
      if (typeof group !== 'string') this.#errors.push(fieldTypeInvalid(`${at}.group`, group, 'must be a string'));
      const resources = this.#texts(entry['resources'], `${at}.resources`);
      const resourceNames = this.#texts(entry['resourceNames'], `${at}.resourceNames`);
      if (resourceNames.length > 0 && resources.length === 0) {
        const why = 'using resourceNames requires at least one resource';
        this.#errors.push(fieldInvalid(`${at}.resourceNames`, resourceNames, why));
      }
      return { group: shown(group), resources, resourceNames };
    });
  }

  #paths(value: unknown, at: string): readonly string[] {
    const paths = this.#texts(value, at);
    for (const [index, path] of paths.entries()) {
      if (path === '*') continue;
      const refuse = (why: string): unknown => this.#errors.push(fieldInvalid(`${at}[${index}]`, path, why));
      if (!path.startsWith('/')) refuse("non-resource URL rules must begin with a '/' character");
      if (path.slice(0, -1).includes('*'))
        refuse("non-resource URL wildcards '*' must be the final character of the rule");
    }
    return paths;
  }

  #stages(value: unknown, at: string): readonly AuditStage[] {
    return this.#texts(value, at).flatMap((text, index) => {
      const stage = AUDIT_STAGES.find((one) => one === text);
      if (stage !== undefined) return [stage];
      this.#errors.push(fieldInvalid(`${at}[${index}]`, text, `allowed stages are ${AUDIT_STAGES.join(',')}`));
      return [];
    });
  }

  #texts(value: unknown, at: string): readonly string[] {
    return this.#list(value, at).flatMap((one, index) => {
      if (typeof one === 'string') return [one];
      this.#errors.push(fieldTypeInvalid(`${at}[${index}]`, one, 'must be a string'));
      return [];
    });
  }

  #list(value: unknown, at: string): readonly unknown[] {
    if (value === undefined || value === null) return [];
    if (Array.isArray(value)) return value;
    this.#errors.push(fieldTypeInvalid(at, value, 'must be a list'));
    return [];
  }

  #record(value: unknown, at: string, known: readonly string[]): JsonRecord {
    if (isRecord(value)) {
      this.#know(value, at, known);
      return value;
    }
    this.#errors.push(fieldTypeInvalid(at, value, 'must be an object'));
    return {};
  }

  #flag(value: unknown, at: string): boolean | undefined {
    if (value === undefined || value === null || typeof value === 'boolean') return value ?? undefined;
    this.#errors.push(fieldTypeInvalid(at, value, 'must be true or false'));
    return undefined;
  }

  /** A field that nobody reads does not keep the server from starting, as in Kubernetes; it is told. */
  #know(record: JsonRecord, at: string, known: readonly string[]): void {
    for (const name of Object.keys(record)) {
      if (known.includes(name) || this.#warnings.length >= SHOWN_ERRORS) continue;
      this.#warnings.push(`unknown field "${at === '' ? '' : `${at}.`}${name}"`);
    }
  }
}

/** A wrong file of 10 000 rules shall not fill the screen. */
const SHOWN_ERRORS = 100;

function shown(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
