import type { Bench } from './bench.ts';
import { imagesBench } from './images/bench.ts';
import { jobBench } from './job/bench.ts';
import { restartBench } from './restart/bench.ts';
import { searchBench } from './search/bench.ts';
import { startUpBench } from './start-up/bench.ts';
import { transitionsBench } from './transitions/bench.ts';
import { trpcBench } from './trpc/bench.ts';
import { webhooksBench } from './webhooks/bench.ts';

/** Every benchmark, in the order in which `npm run bench` runs them. */
export const BENCHES: readonly Bench[] = [
  transitionsBench,
  jobBench,
  restartBench,
  trpcBench,
  searchBench,
  imagesBench,
  webhooksBench,
  startUpBench,
];
