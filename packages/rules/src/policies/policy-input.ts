/** The variables of policy expressions as CEL values. Objects are not copied. */

import type { JsonRecord } from '@listwatch/api/values';
import { adapter, adaptJson, type CelValue } from '@listwatch/cel';
import { AuthorizerValue, type CheckedResource, ResourceCheckValue } from '@listwatch/cel/internal';
import { ADMISSION_TYPES, NAMESPACE_TYPE, REQUEST_TYPE } from '../kinds/admission/admission-types.ts';
import type { KubeObject } from '../kube-object.ts';
import type { AccessAnswers } from './access-answers.ts';

/** One request, in the version that the policy has asked for. */
export interface PolicyRequest {
  /** Null: the request has no object, as in a deletion. */
  readonly object: JsonRecord | null;
  readonly oldObject: JsonRecord | null;
  /** `request`: the AdmissionRequest of a webhook without its uid and its objects. */
  readonly request: JsonRecord;
  /** The namespace of the request. Null for a Namespace and for cluster-scoped objects. */
  readonly namespace: KubeObject | null;
  /** The resource that `authorizer.requestResource` checks. */
  readonly target: CheckedResource;
  readonly access: AccessAnswers;
}

/** The variables of expressions by name. An expression that reads an undefined variable fails. */
export type PolicyVariables = {
  object: CelValue;
  oldObject: CelValue;
  request: CelValue;
  namespaceObject: CelValue;
  params: CelValue;
  authorizer: CelValue | undefined;
  'authorizer.requestResource': CelValue | undefined;
  variables: CelValue | undefined;
};

const OBJECT_TYPES = { fields: (name: string) => ADMISSION_TYPES.get(name) };
const adaptRequest = adapter(REQUEST_TYPE, OBJECT_TYPES);
const adaptNamespace = adapter(NAMESPACE_TYPE, OBJECT_TYPES);

/** The CEL values of a request, shared by all policies that match it. */
export class PolicyInput {
  readonly #request: PolicyRequest;
  readonly #object: CelValue;
  readonly #oldObject: CelValue;
  readonly #adapted: CelValue;
  readonly #namespace: CelValue;
  #authorizer: AuthorizerValue | undefined;
  #resource: ResourceCheckValue | undefined;

  constructor(request: PolicyRequest) {
    this.#request = request;
    this.#object = adaptJson(request.object);
    this.#oldObject = adaptJson(request.oldObject);
    this.#adapted = adaptRequest(request.request);
    this.#namespace = request.namespace === null ? null : adaptNamespace(request.namespace);
  }

  /** The same request with the object that a mutation has changed. */
  withObject(object: JsonRecord): PolicyInput {
    return new PolicyInput({ ...this.#request, object });
  }

  /** The variables of match conditions, without the namespace. */
  forConditions(params: JsonRecord | null): PolicyVariables {
    const values = this.withAuthorizer(params);
    values.namespaceObject = null;
    return values;
  }

  /** The variables of validations and mutations. */
  withAuthorizer(params: JsonRecord | null): PolicyVariables {
    if (this.#authorizer === undefined) {
      const { access, target } = this.#request;
      this.#authorizer = new AuthorizerValue((check) => access.ask(check));
      this.#resource = new ResourceCheckValue(this.#authorizer, target);
    }
    return this.#values(params, this.#authorizer, this.#resource);
  }

  /** For messages and audit annotations. */
  withoutAuthorizer(params: JsonRecord | null): PolicyVariables {
    return this.#values(params, undefined, undefined);
  }

  /** Uses one object literal: evaluations read it by name, and reading is slow if properties are added later. */
  #values(
    params: JsonRecord | null,
    authorizer: CelValue | undefined,
    resource: CelValue | undefined,
  ): PolicyVariables {
    return {
      object: this.#object,
      oldObject: this.#oldObject,
      request: this.#adapted,
      namespaceObject: this.#namespace,
      params: params === null ? null : adaptJson(params),
      authorizer,
      'authorizer.requestResource': resource,
      variables: undefined,
    };
  }
}
