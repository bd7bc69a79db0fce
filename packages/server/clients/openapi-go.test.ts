import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { needs } from '@listwatch/conformance/parts';
import { describe, expect, it } from 'vitest';
import { startClientServer } from './client-server.fixture.ts';

const run = promisify(execFile);
const program = fileURLToPath(new URL('openapi/', import.meta.url));

describe('OpenAPI by client-go', needs('Go'), () => {
  it('is in protobuf what gnostic makes of its JSON, and can be read as specs', async () => {
    await using server = await startClientServer();
    const { stdout } = await run('go', ['run', '.', '-kubeconfig', server.kubeconfig], { cwd: program });
    expect(stdout).toMatch(
      /^\d{2} documents of version 3 are equal\nthe document of version 2 is equal\n\d{2} specs can be read\n$/u,
    );
  }, 600_000);
});
