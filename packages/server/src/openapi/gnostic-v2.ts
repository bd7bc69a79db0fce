/** The messages of OpenAPI version 2 (`openapi.v2` of gnostic), as far as documents of Kubernetes use them. */

import type { GnosticMessages } from './gnostic-message.ts';

/** Numbers and types of `Document` and of all that is in it. */
export const gnosticVersion2: GnosticMessages = {
  '.Document': {
    fields: {
      swagger: { number: 1, type: 'string' },
      info: { number: 2, type: '.Info' },
      paths: { number: 8, type: '.Paths' },
      definitions: { number: 9, type: '.Definitions' },
      security: { number: 12, type: '.SecurityRequirement', repeated: true },
      securityDefinitions: { number: 13, type: '.SecurityDefinitions' },
    },
  },
  '.Info': { fields: { title: { number: 1, type: 'string' }, version: { number: 2, type: 'string' } } },
  '.Paths': { members: { number: 2, type: '.PathItem' } },
  '.PathItem': {
    fields: {
      get: { number: 2, type: '.Operation' },
      put: { number: 3, type: '.Operation' },
      post: { number: 4, type: '.Operation' },
      delete: { number: 5, type: '.Operation' },
      options: { number: 6, type: '.Operation' },
      head: { number: 7, type: '.Operation' },
      patch: { number: 8, type: '.Operation' },
      parameters: { number: 9, type: '.ParametersItem', repeated: true },
    },
  },
  '.Operation': {
    fields: {
      tags: { number: 1, type: 'string', repeated: true },
      operationId: { number: 5, type: 'string' },
      produces: { number: 6, type: 'string', repeated: true },
      consumes: { number: 7, type: 'string', repeated: true },
      parameters: { number: 8, type: '.ParametersItem', repeated: true },
      responses: { number: 9, type: '.Responses' },
      schemes: { number: 10, type: 'string', repeated: true },
    },
    extensions: 13,
  },
  '.ParametersItem': { choose: () => ({ number: 1, type: '.Parameter' }) },
  '.Parameter': {
    choose: (value) =>
      placeOf(value) === 'body' ? { number: 1, type: '.BodyParameter' } : { number: 2, type: '.NonBodyParameter' },
  },
  '.NonBodyParameter': {
    choose: (value) =>
      placeOf(value) === 'path' ? { number: 4, type: '.PathParameter' } : { number: 3, type: '.QueryParameter' },
  },
  '.BodyParameter': {
    fields: {
      name: { number: 2, type: 'string' },
      in: { number: 3, type: 'string' },
      required: { number: 4, type: 'bool' },
      schema: { number: 5, type: '.Schema' },
    },
  },
  '.PathParameter': {
    fields: {
      required: { number: 1, type: 'bool' },
      in: { number: 2, type: 'string' },
      name: { number: 4, type: 'string' },
      type: { number: 5, type: 'string' },
      uniqueItems: { number: 19, type: 'bool' },
    },
  },
  '.QueryParameter': {
    fields: {
      in: { number: 2, type: 'string' },
      name: { number: 4, type: 'string' },
      type: { number: 6, type: 'string' },
      uniqueItems: { number: 20, type: 'bool' },
    },
  },
  '.Responses': { members: { number: 1, type: '.ResponseValue' } },
  '.ResponseValue': { choose: () => ({ number: 1, type: '.Response' }) },
  '.Response': { fields: { description: { number: 1, type: 'string' }, schema: { number: 2, type: '.SchemaItem' } } },
  '.SchemaItem': { choose: () => ({ number: 1, type: '.Schema' }) },
  '.SecurityRequirement': { members: { number: 1, type: '.StringArray' } },
  '.StringArray': { choose: () => ({ number: 1, type: 'string', repeated: true }) },
  '.SecurityDefinitions': { members: { number: 1, type: '.SecurityDefinitionsItem' } },
  '.SecurityDefinitionsItem': { choose: () => ({ number: 2, type: '.ApiKeySecurity' }) },
  '.ApiKeySecurity': {
    fields: {
      type: { number: 1, type: 'string' },
      name: { number: 2, type: 'string' },
      in: { number: 3, type: 'string' },
    },
  },
  '.Definitions': { members: { number: 1, type: '.Schema' } },
  '.Schema': {
    fields: {
      $ref: { number: 1, type: 'string' },
      format: { number: 2, type: 'string' },
      description: { number: 4, type: 'string' },
      multipleOf: { number: 6, type: 'double' },
      maximum: { number: 7, type: 'double' },
      exclusiveMaximum: { number: 8, type: 'bool' },
      minimum: { number: 9, type: 'double' },
      exclusiveMinimum: { number: 10, type: 'bool' },
      maxLength: { number: 11, type: 'int64' },
      minLength: { number: 12, type: 'int64' },
      pattern: { number: 13, type: 'string' },
      maxItems: { number: 14, type: 'int64' },
      minItems: { number: 15, type: 'int64' },
      uniqueItems: { number: 16, type: 'bool' },
      maxProperties: { number: 17, type: 'int64' },
      minProperties: { number: 18, type: 'int64' },
      required: { number: 19, type: 'string', repeated: true },
      enum: { number: 20, type: 'any', repeated: true },
      additionalProperties: { number: 21, type: '.AdditionalPropertiesItem' },
      type: { number: 22, type: '.TypeItem' },
      items: { number: 23, type: '.ItemsItem' },
      allOf: { number: 24, type: '.Schema', repeated: true },
      properties: { number: 25, type: '.Definitions' },
    },
    extensions: 31,
  },
  '.TypeItem': { choose: () => ({ number: 1, type: 'string', repeated: true }) },
  '.ItemsItem': { choose: () => ({ number: 1, type: '.Schema' }) },
  '.AdditionalPropertiesItem': {
    choose: (value) => (typeof value === 'boolean' ? { number: 2, type: 'bool' } : { number: 1, type: '.Schema' }),
  },
};

function placeOf(parameter: unknown): unknown {
  return typeof parameter === 'object' && parameter !== null && 'in' in parameter ? parameter.in : undefined;
}
