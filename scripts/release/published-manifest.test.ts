import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { publicPackages } from '../bundle.mjs';
import { absoluteLinks } from './absolute-links.ts';
import { publishedManifest } from './published-manifest.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const ADDRESS = 'https://example.org/owner/name';

it('a published manifest leads to the repository, and names nothing that only development needs', () => {
  const source = {
    name: '@listwatch/a',
    version: '1.2.3',
    exports: {},
    devDependencies: { '@listwatch/conformance': '1.2.3' },
  };
  expect(publishedManifest(source, 'packages/a', ADDRESS)).toEqual({
    name: '@listwatch/a',
    version: '1.2.3',
    exports: {},
    repository: { type: 'git', url: 'git+https://example.org/owner/name.git', directory: 'packages/a' },
    homepage: 'https://example.org/owner/name/tree/main/packages/a#readme',
    bugs: { url: 'https://example.org/owner/name/issues' },
    publishConfig: { access: 'public', provenance: true },
  });
});

it('links of a published page lead to the repository, and addresses and anchors stay as they are', () => {
  const text = [
    '[guide](../../docs/guide/testing.md#faults) and [another](../../docs/guide/README.md "title")',
    '[source](src/index.ts), [folder](../client), [page](https://example.org/x), [part](#here), [mail](mailto:a@b.c)',
    '[![picture](../../docs/guide/images/console-objects.png)](../../docs/guide/console.md)',
  ].join('\n');
  const page = absoluteLinks(text, {
    directory: 'packages/api',
    address: ADDRESS,
    isFolder: (path) => statSync(join(root, path)).isDirectory(),
  });
  expect(page).toBe(
    [
      `[guide](${ADDRESS}/blob/main/docs/guide/testing.md#faults) and [another](${ADDRESS}/blob/main/docs/guide/README.md "title")`,
      `[source](${ADDRESS}/blob/main/packages/api/src/index.ts), [folder](${ADDRESS}/tree/main/packages/client), [page](https://example.org/x), [part](#here), [mail](mailto:a@b.c)`,
      `[![picture](${ADDRESS}/raw/main/docs/guide/images/console-objects.png)](${ADDRESS}/blob/main/docs/guide/console.md)`,
    ].join('\n'),
  );
  const outside = { directory: 'packages/api', address: ADDRESS, isFolder: () => false };
  expect(() => absoluteLinks('[x](../../../x)', outside)).toThrow(RangeError);
});

it.each(publicPackages())(
  '$name has a description, keywords, a licence, and says which files have side effects',
  ({ manifest }) => {
    expect(manifest.description).toMatch(/^[A-Z].{20,}[.]$/u);
    expect(manifest.keywords?.length).toBeGreaterThan(3);
    expect(manifest.license).toBe('Apache-2.0');
    expect(manifest.sideEffects).toBeDefined();
  },
);

it('all public packages have one version, and ask for that of one another', () => {
  const packages = publicPackages();
  const names = new Set(packages.map(({ name }) => name));
  const versions = packages.flatMap(({ manifest: { version, dependencies = {} } }) => [
    version,
    ...Object.entries(dependencies).flatMap(([name, wanted]) => (names.has(name) ? [wanted] : [])),
  ]);
  expect([...new Set(versions)]).toHaveLength(1);
});
