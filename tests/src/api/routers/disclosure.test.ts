import { beforeAll, describe, expect, test } from 'vitest';
import { MARKETS } from '../../../../machines/disclosure/profile.ts';
import { useApiHost } from '../../../support/http/api-host.ts';
import { type ExportedListing, exportedListing } from '../../../support/worlds/export-world.ts';

/** `disclosure.listProfiles` and `disclosure.check`. */
const NOW = Date.UTC(2026, 10, 23);
let now = NOW;
let listing: ExportedListing;
const host = useApiHost({ overrides: { clock: { now: () => now } } });
beforeAll(async () => {
  listing = await exportedListing(host, { columns: { country: 'US', stateOrProvince: 'CA' } });
});

const check = async (input: object) => (await listing.agent.query('disclosure.check', input)).data;
const statesOf = ({ requirements }: { requirements: { requirement: string; state: string }[] }) =>
  Object.fromEntries(requirements.map(({ requirement, state }) => [requirement, state]));

test('the market follows from the address, and the agent may choose another', async () => {
  const { propertyId } = listing;
  expect(await check({ propertyId })).toMatchObject({
    market: 'US-CA',
    name: 'California',
    followsFromAddress: true,
    publishable: true,
    isInForce: true,
    stale: false,
    stagedCount: 2,
  });
  const crmls = await check({ propertyId, market: 'US-CA-CRMLS' });
  expect(crmls).toMatchObject({ market: 'US-CA-CRMLS', followsFromAddress: false, publishable: true });
  expect(statesOf(crmls)).toEqual({
    LABEL_IN_DESCRIPTION: 'OUTSIDE',
    ORDER: 'OUTSIDE',
    NO_BURNED_IN_MARK: 'MET',
    FIXED_STRUCTURE_UNCHANGED: 'OUTSIDE',
    LABEL_ON_OR_BESIDE: 'OUTSIDE',
    ORIGINAL_OR_LINK: 'OUTSIDE',
  });
  for (const { met, state, howToMeet, source, lastRead } of crmls.requirements) {
    expect(met).toBe(state === 'MET');
    expect(howToMeet === null).toBe(met);
    expect(['kb.crmls.org', 'codes.findlaw.com']).toContain(source.host);
    expect(lastRead).toBe('2026-11-22');
  }
});

test('a draft has no page that a link could lead to', async () => {
  const draft = await exportedListing(host, { columns: { standardStatus: 'Incomplete' } });
  const { data } = await draft.agent.query('disclosure.check', { propertyId: draft.propertyId });
  expect(data).toMatchObject({ market: 'default', publishable: false });
  expect(statesOf(data)).toMatchObject({
    LINK_TO_ORIGINAL: 'UNMET',
    ORIGINAL_PRESENT: 'MET',
    MACHINE_READABLE_MARK: 'MET',
    PROVENANCE_ADDRESS: 'MET',
    ORDER: 'MET',
  });
});

describe('one picture', () => {
  test('a staged one is checked with its photo alone', async () => {
    const [, second] = listing.staged;
    const one = await check({ imageId: second?.imageId, market: 'default' });
    expect(one).toMatchObject({ stagedCount: 1, publishable: true });
    expect(statesOf(one)).toMatchObject({ ORDER: 'MET', ORIGINAL_PRESENT: 'MET' });
  });
  test('a photo is checked with those staged of it', async () => {
    expect(await check({ imageId: listing.room.imageId })).toMatchObject({ stagedCount: 2 });
    expect(await check({ imageId: listing.yard.imageId })).toMatchObject({ stagedCount: 0 });
  });
  test('one that is not approved has nothing to check', async () => {
    const answer = await listing.agent.query('disclosure.check', { imageId: listing.pendingId });
    expect([answer.status, answer.errorCode]).toEqual([404, 'NOT_FOUND']);
  });
});

test.each([{}, { propertyId: 'x' }, { market: 'EU' }])('%j is refused', async (input) => {
  expect((await listing.agent.query('disclosure.check', input)).errorCode).toBe('INVALID_INPUT');
});
test('a listing and a picture at once are refused, and so is an unknown market', async () => {
  const { propertyId, room } = listing;
  for (const input of [
    { propertyId, imageId: room.imageId },
    { propertyId, market: 'US-NJ' },
  ])
    expect((await listing.agent.query('disclosure.check', input)).errorCode).toBe('INVALID_INPUT');
});

test('half a year after it was read, a profile says so', async () => {
  now = Date.UTC(2027, 4, 22);
  try {
    const answer = await check({ propertyId: listing.propertyId });
    expect(answer).toMatchObject({ stale: true, publishable: true });
    const profiles = (await listing.agent.query('disclosure.listProfiles')).data;
    expect(profiles.items.every(({ stale }: { stale: boolean }) => stale)).toBe(true);
  } finally {
    now = NOW;
  }
});

describe.each([
  ['en', 'not legal advice'],
  ['es', 'no asesoría legal'],
] as const)('in %s', (locale, advice) => {
  test('every word of every market is there', async () => {
    const { agent, propertyId } = listing;
    const profiles = (await agent.query('disclosure.listProfiles', { locale })).data;
    expect(profiles.items.map(({ market }: { market: string }) => market)).toEqual([...MARKETS]);
    expect(profiles.notLegalAdvice).toContain(advice);
    for (const market of MARKETS) {
      const answer = await agent.query('disclosure.check', { propertyId, market, locale });
      expect(answer.data.notLegalAdvice).toContain(advice);
      expect(JSON.stringify([profiles, answer.data])).not.toMatch(/disclosure\.\w|"market\.|\{\{/);
    }
  });
});

test('without a language it is the person’s own', async () => {
  const { agent, propertyId } = listing;
  await agent.mutate('users.updateProfile', { locale: 'es' });
  expect((await check({ propertyId, market: 'EU' })).name).toBe('Unión Europea');
  expect((await check({ propertyId, market: 'EU', locale: 'en' })).name).toBe('European Union');
});
