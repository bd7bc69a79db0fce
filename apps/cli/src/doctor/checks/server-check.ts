/** Which server is it, and can it be reached at all? */

import { millisText } from '../amount-text.ts';
import type { Check } from '../check.ts';
import { note, ok } from '../finding.ts';

/** The first version with watch-list, as alpha. */
const OLD_MINOR = 27;

export const serverCheck: Check = {
  name: 'server',
  about: 'address, credentials and version',
  async run({ facts, cluster }) {
    const contact = await facts.contact();
    if (contact.type === 'failed') return [contact.finding];
    const { version, answer } = contact;
    const data = { server: cluster.server, gitVersion: version.gitVersion, transport: cluster.transport.name };
    const took = `answered in ${millisText(answer.headersMs)}, connecting included`;
    if (version.gitVersion === '') {
      const advice = 'Allow this user to GET /version, so that clients can tell what the server supports.';
      return [note(`${cluster.server} ${took}, but does not tell its version (${answer.status}).`, advice, data)];
    }
    const minor = Number.parseInt(version.minor, 10);
    if (version.major === '1' && minor < OLD_MINOR) {
      const advice = 'It has no watch-list, and lists in pages load its etcd. Upgrade it.';
      return [note(`${version.gitVersion} at ${cluster.server} ${took}; it is an old version.`, advice, data)];
    }
    return [ok(`${version.gitVersion} at ${cluster.server} ${took}.`, data)];
  },
};
