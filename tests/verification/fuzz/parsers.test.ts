import { fuzzTests } from './fuzz-run.ts';
import { PARSER_TARGETS } from './targets.ts';
import { openNoWorld } from './worlds/no-world.ts';

fuzzTests(PARSER_TARGETS, openNoWorld);
