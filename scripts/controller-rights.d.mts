/** Notes each right once, as JSON of a `NotedRight` of `packages/controllers/test/granted-rights.fixture.ts`. */
export function noteRights(rights: Set<string>): () => void;
