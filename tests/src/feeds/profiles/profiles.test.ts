import { expect, test } from 'vitest';
import { profileSchema } from '../../../../src/feeds/profiles/profile-schema.ts';
import { FEED_PROFILES, feedProfile } from '../../../../src/feeds/profiles/profiles.ts';

test('five profiles ship, and none lets photos be staged or listings leave again', () => {
  expect([...FEED_PROFILES.keys()]).toEqual(['mls-grid', 'trestle', 'bridge', 'spark', 'generic']);
  for (const { stageable, redistribute } of FEED_PROFILES.values())
    expect({ stageable, redistribute }).toEqual({ stageable: false, redistribute: false });
});

test('the numbers of the vendors are those of their pages', () => {
  expect(feedProfile('mls-grid').rates).toMatchObject({
    second: 2,
    hour: 7_200,
    day: 40_000,
    bytesAnHour: 4_000_000_000,
  });
  expect(feedProfile('trestle').rates).toMatchObject({ minute: 180, hour: 7_200 });
  expect(feedProfile('trestle').media).toMatchObject({ minute: 480, hour: 18_000 });
  expect(feedProfile('bridge').page.most).toBe(2_000);
});

test('a profile with a number out of its range, an unknown field, or no way to read is refused', () => {
  const profile = feedProfile('generic');
  const refused = (broken: unknown) => expect(profileSchema.safeParse(broken).success).toBe(false);
  refused({ ...profile, rates: { ...profile.rates, hour: 0 } });
  refused({ ...profile, page: { ...profile.page, size: 1_001 } });
  refused({ ...profile, replication: { ...profile.replication, orders: false } });
  refused({ ...profile, resources: ['Property', 'Property'] });
  refused({ ...profile, secret: 'x' });
  expect(() => feedProfile('nowhere')).toThrow('choose one of mls-grid');
});
