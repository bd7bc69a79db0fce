import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { setVersion } from './set-version.ts';

it('a new version is set in every manifest, where packages ask for one another, and in the tag of the image, and nowhere else', () => {
  const root = mkdtempSync(join(tmpdir(), 'listwatch-version-'));
  try {
    mkdirSync(join(root, 'packages/a'), { recursive: true });
    const manifest = {
      name: '@listwatch/a',
      version: '0.1.0',
      dependencies: { '@listwatch/api': '0.1.0', other: '0.1.0' },
    };
    for (const folder of ['.', 'packages/a'])
      writeFileSync(join(root, folder, 'package.json'), JSON.stringify(manifest, null, 2));
    mkdirSync(join(root, 'deploy'));
    writeFileSync(join(root, 'deploy/a.yaml'), 'image: example.org/listwatch:0.1.0\nother: example.org/etcd:0.1.0\n');
    setVersion(root, '0.1.0', '0.2.0');
    expect(readFileSync(join(root, 'deploy/a.yaml'), 'utf8')).toBe(
      'image: example.org/listwatch:0.2.0\nother: example.org/etcd:0.1.0\n',
    );
    for (const folder of ['.', 'packages/a']) {
      expect(JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))).toEqual({
        name: '@listwatch/a',
        version: '0.2.0',
        dependencies: { '@listwatch/api': '0.2.0', other: '0.1.0' },
      });
    }
  } finally {
    rmSync(root, { recursive: true });
  }
});
