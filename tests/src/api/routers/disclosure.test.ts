import { beforeAll, describe, expect, test } from 'vitest';
import { MARKETS } from '../../../../machines/disclosure/profile.ts';
import { exportedConfirmations } from '../../../../persistence/accounts/data-export.ts';
import { confirmDisclosure } from '../../../../persistence/images/disclosure-pictures.ts';
import { useApiHost } from '../../../support/http/api-host.ts';
import { type ExportedListing, exportedListing } from '../../../support/worlds/export-world.ts';

/** `disclosure.listProfiles` and `disclosure.check`. */
const NOW = Date.UTC(2026, 10, 30);
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
    listingServices: [
      { market: 'US-CA-CRMLS', name: 'CRMLS (California)' },
      { market: 'US-CA-CCAR', name: 'CCAR MLS (California)' },
    ],
    publishable: true,
    isInForce: true,
    stale: false,
    stagedCount: 2,
  });
  const crmls = await check({ propertyId, market: 'US-CA-CRMLS' });
  expect(crmls).toMatchObject({ market: 'US-CA-CRMLS', followsFromAddress: false, publishable: false });
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
    expect(lastRead).toBe(source.host === 'kb.crmls.org' ? '2026-11-22' : '2026-11-29');
    expect(source.since).toBe('2026-01-01');
    expect(source.rule).toContain('unaltered');
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
    expect(one).toMatchObject({ stagedCount: 1, publishable: false });
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

describe('disclosure.confirm', () => {
  const market = 'US-CA-CRMLS';
  const ALL = [
    'LABEL_IN_DESCRIPTION',
    'ORDER',
    'FIXED_STRUCTURE_UNCHANGED',
    'LABEL_ON_OR_BESIDE',
    'ORIGINAL_OR_LINK',
  ];
  const seenBy = async (own: ExportedListing) => {
    const { propertyId, agent } = own;
    const { data } = await agent.query('disclosure.check', { propertyId, market });
    return { propertyId, market, alteredPictures: data.alteredPictures };
  };
  const stored = (propertyId: string) =>
    host.rows<{ requirement: string; agentId: string; at: Date }>(
      'select requirement, "agentId", at from disclosure_confirmations where "propertyId" = $1',
      [propertyId],
    );

  test('what is confirmed is met, with who and when, and publishable once nothing is left', async () => {
    const own = await exportedListing(host);
    const seen = await seenBy(own);
    const [first, ...others] = ALL;
    const some = await own.agent.mutate('disclosure.confirm', { ...seen, conditions: [first] });
    expect(some.data.publishable).toBe(false);
    expect(statesOf(some.data)).toMatchObject({ LABEL_IN_DESCRIPTION: 'CONFIRMED', ORDER: 'OUTSIDE' });
    now = NOW + 60_000;
    const all = await own.agent.mutate('disclosure.confirm', { ...seen, conditions: [first, ...others] });
    now = NOW;
    expect(all.data.publishable).toBe(true);
    const confirmed = all.data.requirements.find(({ state }: { state: string }) => state === 'CONFIRMED');
    expect(confirmed).toMatchObject({ met: true, howToMeet: null, confirmedAt: '2026-11-30T00:00:00.000Z' });
    const rows = await stored(own.propertyId);
    expect(rows).toHaveLength(ALL.length);
    for (const { agentId, requirement, at } of rows)
      expect([agentId, at.getTime()]).toEqual([own.agent.id, requirement === first ? NOW : NOW + 60_000]);
    // Another market asks for itself.
    const { data } = await own.agent.query('disclosure.check', {
      ...seen,
      market: 'AU',
      alteredPictures: undefined,
    });
    expect(data.publishable).toBe(false);
  });

  test('it no longer counts when the altered pictures change, and does again for the same ones', async () => {
    const own = await exportedListing(host);
    const seen = await seenBy(own);
    await own.agent.mutate('disclosure.confirm', { ...seen, conditions: ALL });
    const check = async () =>
      (await own.agent.query('disclosure.check', { propertyId: own.propertyId, market })).data;
    expect(await check()).toMatchObject({ publishable: true });
    const [{ imageId } = { imageId: '' }] = own.staged;
    await own.agent.mutate('ai.withdrawStagedVariant', { imageId });
    const without = await check();
    expect(without).toMatchObject({ publishable: false, stagedCount: 1 });
    expect(without.alteredPictures).not.toBe(seen.alteredPictures);
    const late = await own.agent.mutate('disclosure.confirm', { ...seen, conditions: ALL });
    expect(late.errorCode).toBe('CONFLICT');
    await own.agent.mutate('ai.liftWithdrawal', { imageId });
    expect(await check()).toMatchObject({ publishable: true, alteredPictures: seen.alteredPictures });
    await own.agent.mutate('ai.withdrawStagedVariant', { imageId });
    const conditions = ['ORDER'];
    const now = { ...seen, alteredPictures: without.alteredPictures, conditions };
    expect(statesOf((await own.agent.mutate('disclosure.confirm', now)).data)).toMatchObject({
      ORDER: 'CONFIRMED',
    });
    expect(await stored(own.propertyId)).toHaveLength(ALL.length);
  });

  test('of two agents at once, the first is stored; no one else can confirm', async () => {
    const own = await exportedListing(host);
    const { propertyId, alteredPictures: pictures } = await seenBy(own);
    const second = await host.signedIn();
    const by = (agentId: string, at: number) =>
      confirmDisclosure(host.pool, { propertyId, agentId, market, requirements: ['ORDER'], pictures, at });
    expect(await by(second.id, NOW)).toBe(false);
    await host.rows(
      'insert into property_agents ("propertyId", "agentId", "assignedAt") values ($1, $2, null)',
      [propertyId, second.id],
    );
    expect([await by(own.agent.id, NOW), await by(second.id, NOW + 1)]).toEqual([true, true]);
    expect(await stored(propertyId)).toMatchObject([{ agentId: own.agent.id, requirement: 'ORDER' }]);
  });

  test('what is missing, what is not asked and what the platform knows itself cannot be confirmed', async () => {
    const own = await exportedListing(host, { columns: { standardStatus: 'Incomplete' } });
    const seen = { ...(await seenBy(own)), market: 'default' };
    const confirm = async (conditions: string[]) =>
      (await own.agent.mutate('disclosure.confirm', { ...seen, conditions })).errorCode;
    expect(await confirm(['LINK_TO_ORIGINAL'])).toBe('CONFLICT');
    expect(await confirm(['NOT_MISLEADING', 'STAGED_FIELD'])).toBe('INVALID_INPUT');
    expect(await confirm(['WORDING'])).toBe('INVALID_INPUT');
    expect(await confirm([])).toBe('INVALID_INPUT');
    expect(await stored(own.propertyId)).toEqual([]);
  });

  test('a confirmation is in the export of its agent and goes with the listing', async () => {
    const own = await exportedListing(host);
    await own.agent.mutate('disclosure.confirm', { ...(await seenBy(own)), conditions: ['ORDER'] });
    const page = { userId: own.agent.id, afterId: null, limit: 10 };
    const [row, ...others] = await exportedConfirmations(host.pool, page);
    expect(others).toEqual([]);
    expect(row).toMatchObject({ propertyId: own.propertyId, market, requirement: 'ORDER', at: NOW });
    await host.rows('delete from property_images where "propertyId" = $1', [own.propertyId]);
    await host.rows('delete from properties where id = $1', [own.propertyId]);
    expect(await stored(own.propertyId)).toEqual([]);
  });
});

test('half a year after it was read, a profile says so', async () => {
  now = Date.UTC(2027, 5, 1);
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
