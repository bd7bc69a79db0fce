import { readFileSync } from 'node:fs';
import { conditionsSchema, structuralSchema, typesOfDefinitions } from '@listwatch/kinds/author';
import { conditions } from '@listwatch/kinds/zod';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { website } from './website-kind.fixture.ts';
import { newWebsite } from './website-types.fixture.ts';

it('listwatch types writes what the type tests compare with defineKind', () => {
  const written = readFileSync(new URL('website-types.fixture.ts', import.meta.url), 'utf8');
  expect(typesOfDefinitions([website.crd])).toBe(written);
});

it('an object of generated types and one of defineKind are the same', () => {
  const object = { metadata: { name: 'a' }, spec: { host: 'a' } };
  expect(newWebsite(object)).toEqual(website.object(object));
});

it('conditions are the same for authors with Zod and with JSON Schema', () => {
  const ofZod = structuralSchema(z.toJSONSchema(conditions(), { io: 'input', target: 'openapi-3.0' }));
  expect(ofZod).toEqual(structuralSchema(conditionsSchema()));
});
