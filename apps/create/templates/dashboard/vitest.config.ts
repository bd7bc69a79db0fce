// Of its own: tests need no cluster, and vite.config.ts connects to one.
export default { test: { testTimeout: 60_000 } };
