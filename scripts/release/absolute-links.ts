import { posix } from 'node:path';
import { MAIN_BRANCH } from './project-address.ts';

/** A link or an image in Markdown whose target is neither an address nor an anchor of the same page. */
const RELATIVE_LINK = /(!?)\[((?:[^\][]|\[[^\]]*\])*)\]\((?![a-z]+:|#|\/\/)([^)\s]+)((?: "[^"]*")?)\)/gu;

/**
 * The page of a package as npm shows it: links that lead out of the package lead to the repository. `directory` is the package's
 * folder within the repository; `isFolder` is asked about paths within the repository.
 */
export function absoluteLinks(
  text: string,
  { directory, address, isFolder }: { directory: string; address: string; isFolder: (path: string) => boolean },
): string {
  return text.replaceAll(RELATIVE_LINK, (_, image: string, label: string, link: string, title: string) => {
    const [target = '', anchor] = link.split('#');
    const path = posix.join(directory, target).replace(/\/$/u, '');
    if (path.startsWith('..')) throw new RangeError(`The link ${link} of ${directory} leads out of the repository`);
    const view = image === '!' ? 'raw' : isFolder(path) ? 'tree' : 'blob';
    const to = `${address}/${view}/${MAIN_BRANCH}/${path}${anchor === undefined ? '' : `#${anchor}`}`;
    return `${image}[${absoluteLinks(label, { directory, address, isFolder })}](${to}${title})`;
  });
}
