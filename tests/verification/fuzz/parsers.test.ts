import { fuzzTests } from './campaign.ts';
import { PARSER_TARGETS } from './targets.ts';
import { openNoWorld } from './worlds/no-world.ts';

fuzzTests(PARSER_TARGETS, openNoWorld);
