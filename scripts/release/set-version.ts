import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Gives every manifest of the workspace another version, private ones too, and what they ask for of one another; and the image in the
 * manifests of `deploy` its tag.
 */
export function setVersion(root: string, from: string, to: string): void {
  const folders = ['packages', 'apps'].flatMap((area) =>
    existsSync(join(root, area)) ? readdirSync(join(root, area)).map((name) => join(area, name)) : [],
  );
  for (const folder of ['.', 'bench', ...folders]) {
    const path = join(root, folder, 'package.json');
    if (!existsSync(path)) continue;
    const text = readFileSync(path, 'utf8');
    const own = new RegExp(`("(?:version|@listwatch/[\\w-]+|listwatch)": )"${from.replaceAll('.', '\\.')}"`, 'gu');
    writeFileSync(
      path,
      text.replaceAll(own, (_, key: string) => `${key}"${to}"`),
    );
  }
  const deploy = join(root, 'deploy');
  for (const file of existsSync(deploy) ? readdirSync(deploy) : []) {
    const text = readFileSync(join(deploy, file), 'utf8');
    writeFileSync(
      join(deploy, file),
      text.replaceAll(`/listwatch:${from}`, () => `/listwatch:${to}`),
    );
  }
}
