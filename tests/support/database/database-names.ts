/** The migrated database that test databases are cloned from; nothing connects to it after the global setup. */
export const TEMPLATE_DATABASE = 'proscenium_template';

/** Every database of a test begins with this, so that forgotten ones are found. */
export const TEST_DATABASE_PREFIX = 'test_';
