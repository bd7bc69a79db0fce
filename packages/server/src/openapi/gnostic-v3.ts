/** The messages of OpenAPI version 3 (`openapi.v3` of gnostic), as far as documents of Kubernetes use them. */

import type { GnosticField, GnosticMessage, GnosticMessages } from './gnostic-message.ts';

/** Numbers and types of `Document` and of all that is in it. */
export const gnosticVersion3: GnosticMessages = {
  '.Document': {
    fields: {
      openapi: { number: 1, type: 'string' },
      info: { number: 2, type: '.Info' },
      paths: { number: 4, type: '.Paths' },
      components: { number: 5, type: '.Components' },
    },
  },
  '.Info': { fields: { title: { number: 1, type: 'string' }, version: { number: 6, type: 'string' } } },
  '.Paths': { members: { number: 1, type: '.PathItem' } },
  '.PathItem': {
    fields: {
      get: { number: 4, type: '.Operation' },
      put: { number: 5, type: '.Operation' },
      post: { number: 6, type: '.Operation' },
      delete: { number: 7, type: '.Operation' },
      options: { number: 8, type: '.Operation' },
      head: { number: 9, type: '.Operation' },
      patch: { number: 10, type: '.Operation' },
      parameters: { number: 13, type: '.ParameterOrReference', repeated: true },
    },
  },
  '.Operation': {
    fields: {
      tags: { number: 1, type: 'string', repeated: true },
      operationId: { number: 5, type: 'string' },
      parameters: { number: 6, type: '.ParameterOrReference', repeated: true },
      requestBody: { number: 7, type: '.RequestBodyOrReference' },
      responses: { number: 8, type: '.Responses' },
    },
    extensions: 13,
  },
  '.ParameterOrReference': orReference('.Parameter'),
  '.Parameter': {
    fields: {
      name: { number: 1, type: 'string' },
      in: { number: 2, type: 'string' },
      required: { number: 4, type: 'bool' },
      schema: { number: 10, type: '.SchemaOrReference' },
    },
  },
  '.RequestBodyOrReference': orReference('.RequestBody'),
  '.RequestBody': { fields: { content: { number: 2, type: '.MediaTypes' }, required: { number: 3, type: 'bool' } } },
  '.Responses': { members: { number: 2, type: '.ResponseOrReference' } },
  '.ResponseOrReference': orReference('.Response'),
  '.Response': { fields: { description: { number: 1, type: 'string' }, content: { number: 3, type: '.MediaTypes' } } },
  '.MediaTypes': { members: { number: 1, type: '.MediaType' } },
  '.MediaType': { fields: { schema: { number: 1, type: '.SchemaOrReference' } } },
  '.Components': {
    fields: { schemas: { number: 1, type: '.Schemas' }, securitySchemes: { number: 7, type: '.SecuritySchemes' } },
  },
  '.SecuritySchemes': { members: { number: 1, type: '.SecuritySchemeOrReference' } },
  '.SecuritySchemeOrReference': orReference('.SecurityScheme'),
  '.SecurityScheme': {
    fields: {
      type: { number: 1, type: 'string' },
      name: { number: 3, type: 'string' },
      in: { number: 4, type: 'string' },
    },
  },
  '.Schemas': { members: { number: 1, type: '.SchemaOrReference' } },
  '.SchemaOrReference': orReference('.Schema'),
  '.Reference': { fields: { $ref: { number: 1, type: 'string' } } },
  '.Schema': {
    fields: {
      nullable: { number: 1, type: 'bool' },
      multipleOf: { number: 10, type: 'double' },
      maximum: { number: 11, type: 'double' },
      exclusiveMaximum: { number: 12, type: 'bool' },
      minimum: { number: 13, type: 'double' },
      exclusiveMinimum: { number: 14, type: 'bool' },
      maxLength: { number: 15, type: 'int64' },
      minLength: { number: 16, type: 'int64' },
      pattern: { number: 17, type: 'string' },
      maxItems: { number: 18, type: 'int64' },
      minItems: { number: 19, type: 'int64' },
      uniqueItems: { number: 20, type: 'bool' },
      maxProperties: { number: 21, type: 'int64' },
      minProperties: { number: 22, type: 'int64' },
      required: { number: 23, type: 'string', repeated: true },
      enum: { number: 24, type: 'any', repeated: true },
      type: { number: 25, type: 'string' },
      allOf: { number: 26, type: '.SchemaOrReference', repeated: true },
      oneOf: { number: 27, type: '.SchemaOrReference', repeated: true },
      anyOf: { number: 28, type: '.SchemaOrReference', repeated: true },
      not: { number: 29, type: '.Schema' },
      items: { number: 30, type: '.ItemsItem' },
      properties: { number: 31, type: '.Schemas' },
      additionalProperties: { number: 32, type: '.AdditionalPropertiesItem' },
      default: { number: 33, type: '.DefaultType' },
      description: { number: 34, type: 'string' },
      format: { number: 35, type: 'string' },
    },
    extensions: 36,
  },
  '.ItemsItem': { choose: () => ({ number: 1, type: '.SchemaOrReference' }) },
  '.AdditionalPropertiesItem': {
    choose: (value) =>
      typeof value === 'boolean' ? { number: 2, type: 'bool' } : { number: 1, type: '.SchemaOrReference' },
  },
  // A default that is an object has no number: the message is there and empty.
  '.DefaultType': { choose: (value) => DEFAULT_TYPES[typeof value] },
};

const DEFAULT_TYPES: Readonly<Record<string, GnosticField>> = {
  number: { number: 1, type: 'double' },
  boolean: { number: 2, type: 'bool' },
  string: { number: 3, type: 'string' },
};

function orReference(type: `.${string}`): GnosticMessage {
  return {
    choose: (value) =>
      typeof value === 'object' && value !== null && '$ref' in value
        ? { number: 2, type: '.Reference' }
        : { number: 1, type },
  };
}
