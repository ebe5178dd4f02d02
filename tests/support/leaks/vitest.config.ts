import suite, { common } from '../../vitest.config.ts';

const { projects: _, ...run } = suite.test ?? {};

/** Runs files that leak on purpose, for the test that such files fail. */
export default { test: { ...run, ...common, include: ['tests/support/leaks/*.fixture.ts'] } };
