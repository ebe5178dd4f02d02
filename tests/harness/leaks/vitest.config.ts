import base from '../../vitest.config.ts';

/** Runs files that leak on purpose, for the test that such files fail. */
export default { ...base, test: { ...base.test, include: ['tests/harness/leaks/*.fixture.ts'] } };
