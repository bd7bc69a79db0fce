/** What kube-apiserver 1.36 says of the definitions, beside their metadata. Recorded; the real tests compare it. */

/** The errors by the name of the case; none for good definitions. */
export const DEFINITION_ANSWERS: Readonly<Record<string, readonly string[]>> = {
  'good: plain': [],
  'name is not plural.group': ['metadata.name: Invalid value: "x.y": must be spec.names.plural+"."+spec.group'],
  'group without a dot': ['spec.group: Invalid value: "example": should be a domain with at least one dot'],
  'group is no domain': [
    "spec.group: Invalid value: \"Ex_ample.com\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
  ],
  'no group': [
    'metadata.name: Invalid value: "widgets.example.com": must be spec.names.plural+"."+spec.group',
    'spec.group: Required value',
  ],
  'no scope': ['spec.scope: Required value'],
  'unknown scope': ['spec.scope: Unsupported value: "World": supported values: "Cluster", "Namespaced"'],
  'no schema': ['spec.versions[0].schema.openAPIV3Schema: Required value'],
  'empty schema holder': ['spec.versions[0].schema.openAPIV3Schema: Required value'],
  'no versions': [
    'spec.versions: Invalid value: []: must have exactly one version marked as storage version',
    'status.storedVersions: Invalid value: null: must have at least one stored version',
  ],
  'two storage versions': [
    'spec.versions: Invalid value: [{"Name":"v1","Served":true,"Storage":true,"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null},{"Name":"v2","Served":true,"Storage":true,"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null}]: must have exactly one version marked as storage version',
    'status.storedVersions: Invalid value: ["v1"]: must have the storage version v2',
  ],
  'no storage version': [
    'spec.versions: Invalid value: [{"Name":"v1","Served":true,"Storage":false,"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null},{"Name":"v2","Served":true,"Storage":false,"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null}]: must have exactly one version marked as storage version',
    'status.storedVersions: Invalid value: null: must have at least one stored version',
  ],
  'version twice': [
    'spec.versions: Invalid value: [{"Name":"v1","Served":true,"Storage":true,"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null},{"Name":"v1","Served":true,"Storage":false,"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null}]: must contain unique version names',
  ],
  'version is no label': [
    "spec.version: Invalid value: \"1.0\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
    "spec.versions[0].name: Invalid value: \"1.0\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
  ],
  'second version is no label': [
    "spec.versions[1].name: Invalid value: \"V_2\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
  ],
  'no kind': [
    'spec.names.kind: Required value',
    'spec.names.listKind: Required value',
    'spec.names.singular: Required value',
  ],
  'list kind is kind': ['spec.names.listKind: Invalid value: "Widget": kind and listKind may not be the same'],
  'bad names': [
    "spec.names.categories[1]: Invalid value: \"b c\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
    "spec.names.kind: Invalid value: \"Wid get\": may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
    "spec.names.listKind: Invalid value: \"1List\": may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
    "spec.names.shortNames[1]: Invalid value: \"W\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
    "spec.names.singular: Invalid value: \"A_b\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
  ],
  'no plural': [
    'metadata.name: Invalid value: "a.example.com": must be spec.names.plural+"."+spec.group',
    'spec.names.plural: Required value',
  ],
  'preserves unknown fields': [
    'spec.preserveUnknownFields: Invalid value: true: cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
  ],
  'preserves unknown fields, has defaults': [
    'spec.preserveUnknownFields: Invalid value: true: cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
    'spec.preserveUnknownFields: Invalid value: true: must be false in order to use defaults in the schema',
  ],
  'protected group': [
    'metadata.annotations[api-approved.kubernetes.io]: Required value: protected groups must have approval annotation "api-approved.kubernetes.io", see https://github.com/kubernetes/enhancements/pull/1111',
  ],
  'good: protected group, unapproved': [],
  'good: protected group, approved': [],
  'protected group, no reason': [
    'metadata.annotations[api-approved.kubernetes.io]: Invalid value: "because": protected groups must have approval annotation "api-approved.kubernetes.io" with either a URL or a reason starting with "unapproved", see https://github.com/kubernetes/enhancements/pull/1111',
  ],
  'warning of a version that is not deprecated': [
    'spec.versions[0].deprecationWarning: Invalid value: "x": can only be set for deprecated versions',
  ],
  'empty warning': ['spec.versions[0].deprecationWarning: Invalid value: "": must not be an empty string'],
  'long warning': [
    'spec.versions[0].deprecationWarning: Invalid value: "ééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééé": must be <= 256 characters long',
  ],
  'warning with a line break': [
    'spec.versions[0].deprecationWarning: Invalid value: "é\\nb": must only contain printable UTF-8 characters; non-printable character found at index 2',
  ],
  'unknown strategy': ['spec.conversion.strategy: Unsupported value: "Magic": supported values: "None", "Webhook"'],
  'no strategy': ['spec.conversion.strategy: Required value'],
  'webhook strategy without a webhook': [
    'spec.conversion.conversionReviewVersions: Required value',
    'spec.conversion.webhookClientConfig: Required value: required when strategy is set to Webhook',
  ],
  'webhook without a client': [
    'spec.conversion.webhookClientConfig: Required value: required when strategy is set to Webhook',
  ],
  'webhook with neither url nor service': [
    'spec.conversion.webhookClientConfig: Required value: exactly one of url or service is required',
  ],
  'webhook over http': [
    'spec.conversion.webhookClientConfig.url: Invalid value: "http": \'https\' is the only allowed URL scheme; desired format: https://host[/path]',
  ],
  'webhook with a bad url': [
    'spec.conversion.webhookClientConfig.url: Invalid value: "": host must be specified; desired format: https://host[/path]',
    'spec.conversion.webhookClientConfig.url: Invalid value: "f": fragments are not permitted in the URL',
    'spec.conversion.webhookClientConfig.url: Invalid value: "q=1": query parameters are not permitted in the URL',
    'spec.conversion.webhookClientConfig.url: Invalid value: "u:p": user information is not permitted in the URL',
  ],
  'webhook without a host': [
    'spec.conversion.webhookClientConfig.url: Invalid value: "": host must be specified; desired format: https://host[/path]',
  ],
  'webhook with an empty service': [
    'spec.conversion.webhookClientConfig.service.name: Required value',
    'spec.conversion.webhookClientConfig.service.namespace: Required value',
  ],
  'webhook with a bad service': [
    'spec.conversion.webhookClientConfig.service.name: Required value',
    'spec.conversion.webhookClientConfig.service.path: Invalid value: "a//b_": must start with a \'/\'',
    'spec.conversion.webhookClientConfig.service.path: Invalid value: "a//b_": segment[0] may not be empty',
    'spec.conversion.webhookClientConfig.service.path: Invalid value: "a//b_": segment[1] may not be empty',
    "spec.conversion.webhookClientConfig.service.path: Invalid value: \"a//b_\": segment[2]: a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    'spec.conversion.webhookClientConfig.service.port: Invalid value: 0: port is not valid: must be between 1 and 65535, inclusive',
  ],
  'good: webhook with a bad bundle': [],
  'webhook with unknown versions': [
    'spec.conversion.conversionReviewVersions: Invalid value: ["v9","v9","V_1"]: must include at least one of v1, v1beta1',
    'spec.conversion.conversionReviewVersions[1]: Invalid value: "v9": duplicate version',
    "spec.conversion.conversionReviewVersions[2]: Invalid value: \"V_1\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
  ],
  'no conversion with a webhook': [
    'spec.conversion.conversionReviewVersions: Forbidden: should not be set when strategy is not set to Webhook',
    'spec.conversion.webhookClientConfig: Forbidden: should not be set when strategy is not set to Webhook',
  ],
  'no type at the root': ['spec.validation.openAPIV3Schema.type: Required value: must not be empty at the root'],
  'string at the root': ['spec.validation.openAPIV3Schema.type: Invalid value: "string": must be object at the root'],
  'array at the root': ['spec.validation.openAPIV3Schema.type: Invalid value: "array": must be object at the root'],
  'nullable root': ['spec.validation.openAPIV3Schema.nullable: Forbidden: nullable cannot be true at the root'],
  'property without a type': [
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].type: Required value: must not be empty for specified object fields',
  ],
  'items without a type': [
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].items.type: Required value: must not be empty for specified array items',
  ],
  'array without items': [
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].items: Required value: must be specified',
  ],
  'items as a list': [
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].items: Forbidden: items must be a schema object and not an array',
  ],
  'unknown type': [
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].type: Unsupported value: "banana": supported values: "array", "boolean", "integer", "number", "object", "string"',
  ],
  'null type': [
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].type: Forbidden: type cannot be set to null, use nullable as an alternative',
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].type: Unsupported value: "null": supported values: "array", "boolean", "integer", "number", "object", "string"',
  ],
  'additional properties at the root': [
    'spec.validation.openAPIV3Schema.additionalProperties: Forbidden: must not be used at the root',
  ],
  'properties and additional properties': [
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive',
  ],
  'properties and no additional ones': [
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive',
  ],
  'good: properties and any additional ones': [],
  'labels in metadata': [
    'spec.validation.openAPIV3Schema.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified',
  ],
  'good: name in metadata': [],
  'required metadata': [
    'spec.validation.openAPIV3Schema.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified',
  ],
  'metadata is a string': [
    'spec.validation.openAPIV3Schema.properties[metadata].type: Invalid value: "string": must be object',
  ],
  'kind is an integer': [
    'spec.validation.openAPIV3Schema.properties[apiVersion].type: Invalid value: "object": must be string',
    'spec.validation.openAPIV3Schema.properties[kind].type: Invalid value: "integer": must be string',
  ],
  'type in anyOf': [
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].anyOf[0].type: Forbidden: must be empty to be structural',
  ],
  'all that is forbidden in a junctor': [
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].allOf[0].additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive',
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].allOf[0].additionalProperties: Forbidden: must be undefined to be structural',
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].allOf[0].default: Forbidden: must be undefined to be structural',
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].allOf[0].description: Forbidden: must be empty to be structural',
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].allOf[0].nullable: Forbidden: must be false to be structural',
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].allOf[0].properties[metadata]: Forbidden: must not be specified in a nested context',
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].allOf[0].title: Forbidden: must be empty to be structural',
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].allOf[0].type: Required value: must be array if x-kubernetes-list-type is specified',
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].allOf[0].type: Required value: must be object if x-kubernetes-map-type is specified',
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].allOf[0].x-kubernetes-embedded-resource: Forbidden: must be false to be structural',
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].allOf[0].x-kubernetes-int-or-string: Forbidden: must be false to be structural',
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].allOf[0].x-kubernetes-list-map-keys: Forbidden: must be empty to be structural',
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].allOf[0].x-kubernetes-list-type: Forbidden: must be undefined to be structural',
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].allOf[0].x-kubernetes-list-type: Invalid value: "set": must be map if x-kubernetes-list-map-keys is non-empty',
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].allOf[0].x-kubernetes-map-type: Forbidden: must be undefined to be structural',
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].allOf[0].x-kubernetes-preserve-unknown-fields: Forbidden: must be false to be structural',
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].allOf[0].x-kubernetes-validations: Forbidden: must be empty to be structural',
  ],
  'good: junctor about an undeclared property, below the root': [],
  'junctor about an undeclared property, at the root': [
    'spec.validation.openAPIV3Schema.properties[other]: Required value: because it is defined in spec.validation.openAPIV3Schema.anyOf[0].properties[other]',
    'spec.validation.openAPIV3Schema.properties[spec].properties[b]: Required value: because it is defined in spec.validation.openAPIV3Schema.anyOf[0].properties[spec].properties[b]',
  ],
  'good: int-or-string with its anyOf': [],
  'good: int-or-string in allOf': [],
  'int-or-string with the types turned': [
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].anyOf[0].type: Forbidden: must be empty to be structural',
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].anyOf[1].type: Forbidden: must be empty to be structural',
  ],
  'int-or-string that is all': [
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].type: Required value: must be object if x-kubernetes-embedded-resource is true',
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].x-kubernetes-embedded-resource: Invalid value: true: must be false if x-kubernetes-int-or-string is true',
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].x-kubernetes-preserve-unknown-fields: Invalid value: true: must be false if x-kubernetes-int-or-string is true',
  ],
  'status subresource with a root junctor': [
    'spec.validation.openAPIV3Schema: Invalid value: {"ID":"","Schema":"","Ref":null,"Description":"","Type":"object","Nullable":false,"Format":"","Title":"","Default":null,"Maximum":null,"ExclusiveMaximum":false,"Minimum":null,"ExclusiveMinimum":false,"MaxLength":null,"MinLength":null,"Pattern":"","MaxItems":null,"MinItems":null,"UniqueItems":false,"MultipleOf":null,"Enum":null,"MaxProperties":3,"MinProperties":null,"Required":null,"Items":null,"AllOf":null,"OneOf":null,"AnyOf":null,"Not":{"ID":"","Schema":"","Ref":null,"Description":"","Type":"","Nullable":false,"Format":"","Title":"","Default":null,"Maximum":null,"ExclusiveMaximum":false,"Minimum":null,"ExclusiveMinimum":false,"MaxLength":null,"MinLength":null,"Pattern":"","MaxItems":null,"MinItems":null,"UniqueItems":false,"MultipleOf":null,"Enum":null,"MaxProperties":null,"MinProperties":null,"Required":["x"],"Items":null,"AllOf":null,"OneOf":null,"AnyOf":null,"Not":null,"Properties":null,"AdditionalProperties":null,"PatternProperties":null,"Dependencies":null,"AdditionalItems":null,"Definitions":null,"ExternalDocs":null,"Example":null,"XPreserveUnknownFields":null,"XEmbeddedResource":false,"XIntOrString":false,"XListMapKeys":null,"XListType":null,"XMapType":null,"XValidations":null},"Properties":null,"AdditionalProperties":null,"PatternProperties":null,"Dependencies":null,"AdditionalItems":null,"Definitions":null,"ExternalDocs":null,"Example":null,"XPreserveUnknownFields":null,"XEmbeddedResource":false,"XIntOrString":false,"XListMapKeys":null,"XListType":null,"XMapType":null,"XValidations":null}: only [Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations] fields are allowed at the root of the schema if the status subresource is enabled',
  ],
  'status subresource with a string at the root': [
    'spec.validation.openAPIV3Schema.type: Invalid value: "string": must be object at the root',
    'spec.validation.openAPIV3Schema.type: Invalid value: "string": only "object" is allowed as the type at the root of the schema if the status subresource is enabled',
  ],
  'unsupported words': [
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].$ref: Forbidden: $ref is not supported',
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].definitions: Forbidden: definitions is not supported',
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].dependencies: Forbidden: dependencies is not supported',
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].id: Forbidden: id is not supported',
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].patternProperties: Forbidden: patternProperties is not supported',
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
  ],
  'additional items': [
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].additionalItems: Forbidden: additionalItems is not supported',
  ],
  $schema: ['spec.validation.openAPIV3Schema: Invalid value: "": OpenAPIV3Schema \'schema\' is not supported'],
  'pattern with lookahead': [
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].pattern: Invalid value: "^(?=a)b": must be a valid regular expression, but isn\'t: error parsing regexp: invalid or unsupported Perl syntax: `(?=`',
  ],
  'patterns that are none': [
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].anyOf[0].pattern: Invalid value: "(": must be a valid regular expression, but isn\'t: error parsing regexp: missing closing ): `(`',
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].pattern: Invalid value: "[z-a]": must be a valid regular expression, but isn\'t: error parsing regexp: invalid character class range: `z-a`',
  ],
  'unknown fields are not preserved': [
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].x-kubernetes-preserve-unknown-fields: Invalid value: false: must be true or undefined',
  ],
  'embedded string': [
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].type: Invalid value: "string": must be object if x-kubernetes-embedded-resource is true',
  ],
  'embedded without anything': [
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
  ],
  'embedded with additional properties': [
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].additionalProperties: Forbidden: must not be used if x-kubernetes-embedded-resource is set',
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
  ],
  'embedded without a type': [
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].type: Required value: must be object if x-kubernetes-embedded-resource is true',
  ],
  'good: embedded': [],
  'embedded in metadata': [
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].properties[metadata].properties[a].x-kubernetes-embedded-resource: Forbidden: must not be used inside of resource meta',
  ],
  'map type of a string': [
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].type: Invalid value: "string": must be object if x-kubernetes-map-type is specified',
  ],
  'unknown map type': [
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].x-kubernetes-map-type: Unsupported value: "loose": supported values: "atomic", "granular"',
  ],
  'list type of a string': [
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].type: Invalid value: "string": must be array if x-kubernetes-list-type is specified',
  ],
  'unknown list type': [
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].x-kubernetes-list-type: Unsupported value: "bag": supported values: "atomic", "set", "map"',
  ],
  'keys without a list type': [
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].x-kubernetes-list-type: Required value: must be map if x-kubernetes-list-map-keys is non-empty',
  ],
  'keys of a set': [
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].x-kubernetes-list-type: Invalid value: "set": must be map if x-kubernetes-list-map-keys is non-empty',
  ],
  'map list without keys': [
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map',
  ],
  'map list of strings': [
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].items.type: Invalid value: "string": must be object if parent array\'s x-kubernetes-list-type is map',
  ],
  'map list with bad keys': [
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].items.nullable: Forbidden: cannot be nullable when x-kubernetes-list-type is map',
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].items.properties[n].nullable: Forbidden: this property is in x-kubernetes-list-map-keys, so it cannot be nullable',
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].items.properties[o].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].items.properties[o].type: Invalid value: "object": must be a scalar type if parent array\'s x-kubernetes-list-type is map',
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].x-kubernetes-list-map-keys: Invalid value: ["k","k","x","o","n"]: entries must all be names of item properties',
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].x-kubernetes-list-map-keys: Invalid value: ["k","k","x","o","n"]: must not contain duplicate entries',
  ],
  'map list with an optional key': [
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].items.properties[k].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
  ],
  'good: map list with a default key': [],
  'set of objects': [
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].items.x-kubernetes-map-type: Invalid value: null: must be atomic as item of a list with x-kubernetes-list-type=set',
  ],
  'set of sets': [
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].items.x-kubernetes-list-type: Invalid value: "set": must be atomic as item of a list with x-kubernetes-list-type=set',
  ],
  'set of nulls': [
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].items.nullable: Forbidden: cannot be nullable when x-kubernetes-list-type is set',
  ],
  'default of another type': [
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].default: Invalid value: "integer":  in body must be of type string: "integer"',
  ],
  'default beyond its bounds': [
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].default: Invalid value: 5:  in body should be less than or equal to 4',
  ],
  'default with an unknown field': [
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].default: Invalid value: {"b":"x","c":1}: must not have unknown fields',
  ],
  'default without a required field': [
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].default.b: Required value',
  ],
  'default list with a wrong item': [
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].default.[1]: Invalid value: "integer": [1] in body must be of type string: "integer"',
  ],
  'good: default null': [],
  'good: nested defaults': [],
  'default in metadata': [
    'spec.validation.openAPIV3Schema.properties[metadata].properties[name].default: Forbidden: must not be set in top-level metadata',
  ],
  'default of kind': [
    'spec.validation.openAPIV3Schema.properties[kind].default: Forbidden: must not be set in top-level kind',
  ],
  'default in a junctor': [
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].anyOf[0].default: Forbidden: must be undefined to be structural',
  ],
  'bad columns': [
    'spec.additionalPrinterColumns[0].JSONPath: Required value',
    'spec.additionalPrinterColumns[0].name: Required value',
    'spec.additionalPrinterColumns[0].type: Required value: must be one of boolean,date,integer,number,string',
    'spec.additionalPrinterColumns[1].JSONPath: Invalid value: "spec": must be a simple json path starting with .',
    'spec.additionalPrinterColumns[1].format: Invalid value: "f": must be one of byte,date,date-time,double,float,int32,int64,password',
    'spec.additionalPrinterColumns[1].type: Invalid value: "text": must be one of boolean,date,integer,number,string',
  ],
  'good: column with a bad filter': [],
  'bad scale paths': [
    'spec.subresources.scale.labelSelectorPath: Invalid value: ".metadata.a": should be a json path under either .spec or .status',
    'spec.subresources.scale.specReplicasPath: Invalid value: ".status.a": should be a json path under .spec',
    'spec.subresources.scale.statusReplicasPath: Invalid value: "status": must be a simple json path starting with .',
  ],
  'empty scale': [
    'spec.subresources.scale.specReplicasPath: Required value',
    'spec.subresources.scale.statusReplicasPath: Required value',
  ],
  'bad selectable fields': [
    'spec.selectableFields[0].jsonPath: Invalid value: ".spec.x": is an invalid path: does not refer to a valid field',
    'spec.selectableFields[1].jsonPath: Invalid value: ".spec.n": must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.',
    'spec.selectableFields[2].jsonPath: Invalid value: ".spec.list[0]": is an invalid path: array notation is not allowed',
    'spec.selectableFields[3].jsonPath: Invalid value: ".metadata.name": must not point to fields in metadata',
    'spec.selectableFields[4].jsonPath: Invalid value: "spec": is an invalid path: expected [ or . but got: spec',
    'spec.selectableFields[5].jsonPath: Required value',
    'spec.selectableFields[7].jsonPath: Duplicate value: ".spec.a"',
    'spec.selectableFields[8].jsonPath: Invalid value: ".spec.": is an invalid path: unexpected end of JSON path',
  ],
  'good: selectable map value': [],
  'nine selectable fields': ['spec.selectableFields: Too many: 9: must have at most 8 items'],
  'selectable fields without a schema': [
    'spec.selectableFields: Invalid value: "": may only be set when validations.schema is included',
    'spec.versions[0].schema.openAPIV3Schema: Required value',
  ],
  'faults of the second of two different versions': [
    'spec.versions[1].additionalPrinterColumns[0].type: Invalid value: "x": must be one of boolean,date,integer,number,string',
    'spec.versions[1].schema.openAPIV3Schema.properties[a].type: Required value: must not be empty for specified object fields',
    'spec.versions[1].selectableFields[0].jsonPath: Invalid value: ".b": is an invalid path: does not refer to a valid field',
    'spec.versions[1].subresources.scale.specReplicasPath: Required value',
    'spec.versions[1].subresources.scale.statusReplicasPath: Required value',
  ],
  'two storage versions with different schemas': [
    'spec.versions: Invalid value: [{"Name":"v1","Served":true,"Storage":true,"Deprecated":false,"DeprecationWarning":null,"Schema":{"OpenAPIV3Schema":{"ID":"","Schema":"","Ref":null,"Description":"","Type":"object","Nullable":false,"Format":"","Title":"","Default":null,"Maximum":null,"ExclusiveMaximum":false,"Minimum":null,"ExclusiveMinimum":false,"MaxLength":null,"MinLength":null,"Pattern":"","MaxItems":null,"MinItems":null,"UniqueItems":false,"MultipleOf":null,"Enum":null,"MaxProperties":null,"MinProperties":null,"Required":null,"Items":null,"AllOf":null,"OneOf":null,"AnyOf":null,"Not":null,"Properties":null,"AdditionalProperties":null,"PatternProperties":null,"Dependencies":null,"AdditionalItems":null,"Definitions":null,"ExternalDocs":null,"Example":null,"XPreserveUnknownFields":null,"XEmbeddedResource":false,"XIntOrString":false,"XListMapKeys":null,"XListType":null,"XMapType":null,"XValidations":null}},"Subresources":{"Status":{},"Scale":{"SpecReplicasPath":".spec.a","StatusReplicasPath":".status.a","LabelSelectorPath":null}},"AdditionalPrinterColumns":null,"SelectableFields":null},{"Name":"v2","Served":true,"Storage":true,"Deprecated":false,"DeprecationWarning":null,"Schema":{"OpenAPIV3Schema":{"ID":"","Schema":"","Ref":null,"Description":"","Type":"object","Nullable":false,"Format":"","Title":"","Default":null,"Maximum":null,"ExclusiveMaximum":false,"Minimum":null,"ExclusiveMinimum":false,"MaxLength":null,"MinLength":null,"Pattern":"","MaxItems":null,"MinItems":null,"UniqueItems":false,"MultipleOf":null,"Enum":null,"MaxProperties":null,"MinProperties":null,"Required":null,"Items":null,"AllOf":null,"OneOf":null,"AnyOf":null,"Not":null,"Properties":{"a":{"ID":"","Schema":"","Ref":null,"Description":"","Type":"string","Nullable":false,"Format":"","Title":"","Default":null,"Maximum":null,"ExclusiveMaximum":false,"Minimum":null,"ExclusiveMinimum":false,"MaxLength":null,"MinLength":1,"Pattern":"","MaxItems":null,"MinItems":null,"UniqueItems":false,"MultipleOf":null,"Enum":["a"],"MaxProperties":null,"MinProperties":null,"Required":null,"Items":null,"AllOf":null,"OneOf":null,"AnyOf":null,"Not":null,"Properties":null,"AdditionalProperties":null,"PatternProperties":null,"Dependencies":null,"AdditionalItems":null,"Definitions":null,"ExternalDocs":null,"Example":null,"XPreserveUnknownFields":null,"XEmbeddedResource":false,"XIntOrString":false,"XListMapKeys":null,"XListType":null,"XMapType":null,"XValidations":null}},"AdditionalProperties":null,"PatternProperties":null,"Dependencies":null,"AdditionalItems":null,"Definitions":null,"ExternalDocs":null,"Example":null,"XPreserveUnknownFields":null,"XEmbeddedResource":false,"XIntOrString":false,"XListMapKeys":null,"XListType":null,"XMapType":null,"XValidations":null}},"Subresources":null,"AdditionalPrinterColumns":[{"Name":"a","Type":"string","Format":"","Description":"","Priority":0,"JSONPath":".a"}],"SelectableFields":[{"JSONPath":".a"}]}]: must have exactly one version marked as storage version',
    'status.storedVersions: Invalid value: ["v1"]: must have the storage version v2',
  ],
  'bad rules': [
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].x-kubernetes-validations[0].rule: Required value: rule is not specified',
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].x-kubernetes-validations[1].message: Invalid value: " ": must be non-empty if specified',
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].x-kubernetes-validations[2].message: Invalid value: "a\\nb": must not contain line breaks',
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].x-kubernetes-validations[3].message: Required value: message must be specified if rule contains line breaks',
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].x-kubernetes-validations[4].fieldPath: Invalid value: ".x": must be a valid path',
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].x-kubernetes-validations[4].messageExpression: Required value: messageExpression must be non-empty if specified',
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].x-kubernetes-validations[4].reason: Unsupported value: "Why": supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"',
  ],
  'good: unknown formats': [],
};
