import { createRequire } from 'node:module';

/** The version of the running software, as its manifest says. */
export const VERSION: string = createRequire(import.meta.url)('../package.json').version;
