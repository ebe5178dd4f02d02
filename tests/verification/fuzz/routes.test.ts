import { fuzzTests } from './fuzz-run.ts';
import { ROUTE_TARGETS } from './targets.ts';
import { openHostWorld } from './worlds/host-world.ts';

fuzzTests(ROUTE_TARGETS, openHostWorld);
