import { defineKind } from '@listwatch/kinds/author';
import { conditions } from '@listwatch/kinds/zod';
import { z } from 'zod';

/** A kind with defaults on every level, whose types `listwatch types` has written to `website-types.fixture.ts`. */
export const website = defineKind({
  group: 'example.com',
  version: 'v1',
  kind: 'Website',
  schema: z.object({
    spec: z.object({
      host: z.string(),
      replicas: z.int().default(1),
      mode: z.enum(['fast', 'slow']).default('fast'),
      note: z.string().optional(),
      paths: z.array(z.object({ path: z.string(), cached: z.boolean().default(true) })).optional(),
      tls: z.object({ secret: z.string(), days: z.int().default(90) }).optional(),
    }),
    status: z.object({ ready: z.boolean().optional(), conditions: conditions().optional() }).optional(),
  }),
});
