import { fuzzTests } from './fuzz-run.ts';
import { QUEUE_TARGETS } from './targets.ts';
import { openQueueWorld } from './worlds/queue-world.ts';

fuzzTests(QUEUE_TARGETS, openQueueWorld);
