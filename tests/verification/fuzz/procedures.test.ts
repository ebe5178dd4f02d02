import { fuzzTests } from './fuzz-run.ts';
import { PROCEDURE_TARGETS } from './targets.ts';
import { openHostWorld } from './worlds/host-world.ts';

fuzzTests(PROCEDURE_TARGETS, openHostWorld);
