import type { Bench } from '../benchmark.ts';
import { driftBench } from '../drift/drift-table.ts';
import { imagesBench } from '../images/image-proxy.ts';
import { marksBench } from '../images/marks.ts';
import { importBench } from '../import/import-sales.ts';
import { jobBench } from '../job/whole-job.ts';
import { restartBench } from '../restart/takeover.ts';
import { idleBench } from '../roles/idle-workers.ts';
import { startUpBench } from '../roles/start-up.ts';
import { searchBench } from '../search/map-and-list.ts';
import { pageBench } from '../site/page-of-home.ts';
import { siteBench } from '../site/pages.ts';
import { transitionsBench } from '../transitions/durable-transitions.ts';
import { trpcBench } from '../trpc/typed-calls.ts';
import { webhooksBench } from '../webhooks/provider-callbacks.ts';

/** Every benchmark, in the order in which `npm run bench` runs them. */
export const BENCHES: readonly Bench[] = [
  transitionsBench,
  jobBench,
  restartBench,
  idleBench,
  trpcBench,
  searchBench,
  imagesBench,
  marksBench,
  webhooksBench,
  siteBench,
  importBench,
  pageBench,
  driftBench,
  startUpBench,
];
