import type { Site } from '../../app/site.ts';

/** What Search needs before it is shown. */
export const loadSearch = async (_site: Site): Promise<void> => {};
