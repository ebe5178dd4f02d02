import { fuzzTests } from './fuzz-run.ts';
import { PROVIDER_TARGETS } from './targets.ts';
import { openProviderWorld } from './worlds/provider-world.ts';

fuzzTests(PROVIDER_TARGETS, openProviderWorld);
