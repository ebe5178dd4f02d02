import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../support/eventually.ts';
import { planRun } from '../run-plan.ts';
import { type CrashWorld, openCrashWorld } from '../run-world.ts';
import { boughtAt, expectBoughtOnce, orderLoad } from './load.ts';
import { OUTAGE_DEEDS, REFUSALS } from './outages.ts';

/** Servers that refuse, are late or are away, and decoders that stand still, one after the other, each under load. */
const DEEDS = { ...OUTAGE_DEEDS, ...REFUSALS };
const CASES: (keyof typeof DEEDS)[][] = [
  ['redis full', 'redis read-only', 'redis late'],
  ['decoder stopped', 'storage unavailable', 'storage denied', 'storage slow', 'put acknowledged and lost'],
  ['back ends terminated', 'postgres immediate restart'],
];
/** The wait for the end of every job ends first, with those that are open. */
const TEST_MS = 300_000;
let world: CrashWorld;
let loads = 0;

beforeAll(async () => {
  world = await openCrashWorld(planRun({ seed: 1, jobs: 80 }), { note() {} });
}, 60_000);
afterAll(() => world.close());

test.each(CASES.map((outages) => ({ outages, name: outages.join(', ') })))(
  '$name: all ends, and nothing is bought twice',
  async ({ outages }) => {
    const { staging } = world;
    const before = await boughtAt(staging.platform);
    const ordered = orderLoad(staging);
    await eventually(async () => (await boughtAt(staging.platform)) >= before + 5, { what: 'purchases' });
    for (const outage of outages) await DEEDS[outage](world);
    await Promise.all([ordered, ...world.loose]);
    loads += 1;
    await expectBoughtOnce(staging, { loads });
    // No worker has ended.
    expect(world.slots.map((slot) => slot.starts())).toEqual([1, 1]);
  },
  TEST_MS,
);
