import { fuzzTests } from './fuzz-run.ts';
import { PICTURE_TARGETS } from './targets.ts';
import { openPictureWorld } from './worlds/picture-world.ts';

fuzzTests(PICTURE_TARGETS, openPictureWorld);
