/** The migrated database that test databases are cloned from; nothing connects to it after the global setup. */
export const TEMPLATE_DATABASE = 'proscenium_template';

/** Prefix of every test database, so that leaked ones are found. */
export const TEST_DATABASE_PREFIX = 'test_';
