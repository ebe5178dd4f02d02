import { fuzzTests } from './campaign.ts';
import { ROUTE_TARGETS } from './targets.ts';
import { openHostWorld } from './worlds/host-world.ts';

fuzzTests(ROUTE_TARGETS, openHostWorld);
