// `npm run manifests`: writes deploy/operator.yaml, which is all that a cluster needs but the image.

import { mkdir, writeFile } from 'node:fs/promises';
import { operatorManifests } from './operator-manifests.ts';

await mkdir('deploy', { recursive: true });
await writeFile('deploy/operator.yaml', await operatorManifests());
console.log('deploy/operator.yaml');
