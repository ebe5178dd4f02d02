import type { WorkerParts } from '../worker/parts.ts';

/**
 * What the operators' pages may use of the worker that serves them. They read rows and deliver events; the provider and
 * the effects of states are not among it, so nothing can be bought from a page.
 */
export type ConsoleContext = Pick<
  WorkerParts,
  | 'chance'
  | 'clock'
  | 'config'
  | 'database'
  | 'descriptionLeases'
  | 'descriptionQueue'
  | 'descriptions'
  | 'desk'
  | 'documents'
  | 'logger'
  | 'mailroom'
  | 'metrics'
  | 'node'
  | 'nudges'
  | 'observedQueues'
  | 'queue'
  | 'redis'
  | 'reporter'
  | 'searchQueue'
  | 'store'
  | 'timings'
>;

/** What the door tells the pages behind it: who came in. */
export type ConsoleEnv = { Variables: { operator: string } };
