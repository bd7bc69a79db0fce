/**
 * Where the project lives, as `https://HOST/OWNER/NAME`, without a slash at the end. Links in published READMEs, and `repository`,
 * `homepage` and `bugs` of every manifest are made from it. It is not decided yet: `npm run release` refuses while it is undefined.
 */
export const PROJECT_ADDRESS: string | undefined = undefined;

/** For checks of packed packages while the address is undecided. `.invalid` is reserved: nobody can own it. */
export const REHEARSAL_ADDRESS = 'https://listwatch.invalid/listwatch/listwatch';

/** The branch that links in published pages lead to. */
export const MAIN_BRANCH = 'main';
