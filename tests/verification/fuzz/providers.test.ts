import { fuzzTests } from './campaign.ts';
import { PROVIDER_TARGETS } from './targets.ts';
import { openProviderWorld } from './worlds/provider-world.ts';

fuzzTests(PROVIDER_TARGETS, openProviderWorld);
