import { expect, it } from 'vitest';
import { InProcessServer } from '../src/start/in-process-server.fixture.ts';

it('a watch that was let in just before the server ends is ended with the others, and nobody waits for it', async () => {
  let ended: Promise<void> | undefined;
  // What takes a while between the beginning of a request and its answer: here an authorizer, elsewhere the audit log.
  await using server = await InProcessServer.start({
    authorizer: {
      authorize: async ({ verb }) => {
        if (verb === 'watch') ended ??= server.server.close();
        return { allowed: true };
      },
    },
  });
  // Its own end never comes: the clock stands still.
  const { status } = await server.ask('GET', '/api/v1/configmaps?watch=true&timeoutSeconds=1');
  expect(status).toBe(200);
  await ended;
});
