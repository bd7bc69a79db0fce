/** The validation of custom kinds in OpenAPI: the same words, except for the rules in CEL. */

import type { Validation } from '../schema.ts';
import type { OpenApiSchema } from './openapi-schema.ts';

/** What OpenAPI says of a validation. */
export function openApiValidation(validation: Validation): OpenApiSchema {
  const { cel, properties, items, additionalProperties, allOf, anyOf, oneOf, not, ...plain } = validation;
  return {
    ...plain,
    ...(properties === undefined ? {} : { properties: mapValues(properties) }),
    ...(items === undefined ? {} : { items: openApiValidation(items) }),
    ...(additionalProperties === undefined ? {} : { additionalProperties: openApiValidation(additionalProperties) }),
    ...(allOf === undefined ? {} : { allOf: allOf.map(openApiValidation) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(openApiValidation) }),
    ...(oneOf === undefined ? {} : { oneOf: oneOf.map(openApiValidation) }),
    ...(not === undefined ? {} : { not: openApiValidation(not) }),
    ...(cel === undefined ? {} : { 'x-kubernetes-validations': cel }),
  };
}

function mapValues(properties: Readonly<Record<string, Validation>>): OpenApiSchema {
  return Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, openApiValidation(one)]));
}
