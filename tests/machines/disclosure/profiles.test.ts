import { describe, expect, test } from 'vitest';
import {
  evaluate,
  type PictureFacts,
  type RequirementState,
  type ShownPictures,
  STALE_AFTER_DAYS,
} from '../../../machines/disclosure/evaluate.ts';
import { MARKETS, REQUIREMENTS, type Requirement } from '../../../machines/disclosure/profile.ts';
import { marketOf, PROFILES } from '../../../machines/disclosure/profiles.ts';

const READ = Date.UTC(2026, 10, 22);
const DAY_MS = 86_400_000;

const photo = (imageId: string): PictureFacts => ({
  imageId,
  originalImageId: null,
  isAltered: false,
  label: null,
  hasProvenanceRecord: false,
  hasMachineReadableMark: false,
  hasBurnedInMark: false,
  isDriftFlagged: false,
});
const staged = (imageId: string, originalImageId: string): PictureFacts => ({
  ...photo(imageId),
  originalImageId,
  isAltered: true,
  label: 'AI · Virtually staged',
  hasProvenanceRecord: true,
  hasMachineReadableMark: true,
});
/** A listing that meets everything that the platform can know. */
const GOOD: ShownPictures = {
  hasPublicPage: true,
  pictures: [photo('a'), staged('a1', 'a'), staged('a2', 'a'), photo('b')],
};

const changed = (change: Partial<PictureFacts>): ShownPictures => ({
  ...GOOD,
  pictures: GOOD.pictures.map((one) => (one.imageId === 'a2' ? { ...one, ...change } : one)),
});
const without = (left: string): ShownPictures => ({
  ...GOOD,
  pictures: GOOD.pictures.filter(({ imageId }) => imageId !== left),
});

interface Miss {
  readonly listing: ShownPictures;
  readonly imageIds: readonly string[];
  /** Only a person decides the others. */
  readonly state: RequirementState;
}
const missing = (listing: ShownPictures, ...imageIds: string[]): Miss => ({
  listing,
  imageIds,
  state: 'UNMET',
});
/** For each requirement a listing that misses it. A requirement without a line does not compile. */
const MISSES: Readonly<Record<Requirement, Miss>> = {
  LABEL_ON_OR_BESIDE: missing(changed({ label: null }), 'a2'),
  LABEL_IN_DESCRIPTION: missing(changed({ label: null }), 'a2'),
  WORDING: missing(changed({ label: 'Digitally enhanced' }), 'a2'),
  ORIGINAL_PRESENT: missing(without('a'), 'a1', 'a2'),
  ORIGINAL_OR_LINK: missing({ ...without('a'), hasPublicPage: false }, 'a1', 'a2'),
  LINK_TO_ORIGINAL: missing({ ...GOOD, hasPublicPage: false }, 'a1', 'a2'),
  MACHINE_READABLE_MARK: missing(changed({ hasMachineReadableMark: false }), 'a2'),
  PROVENANCE_ADDRESS: missing(changed({ hasProvenanceRecord: false }), 'a2'),
  FIXED_STRUCTURE_UNCHANGED: {
    listing: changed({ isDriftFlagged: true }),
    imageIds: ['a2'],
    state: 'OUTSIDE',
  },
  ORDER: missing(without('a'), 'a1', 'a2'),
  BURNED_IN_MARK: missing(changed({ label: null }), 'a2'),
  NO_BURNED_IN_MARK: missing(changed({ hasBurnedInMark: true }), 'a2'),
  NOT_MISLEADING: { listing: GOOD, imageIds: [], state: 'OUTSIDE' },
};
/** Never met by a guess, wherever they are asked. */
const ALWAYS_OUTSIDE: readonly Requirement[] = [
  'FIXED_STRUCTURE_UNCHANGED',
  'BURNED_IN_MARK',
  'NOT_MISLEADING',
];
/** Shown by us: in a listing service the agent has to do it. */
const SHOWN: readonly Requirement[] = [
  'LABEL_ON_OR_BESIDE',
  'LABEL_IN_DESCRIPTION',
  'ORIGINAL_PRESENT',
  'ORIGINAL_OR_LINK',
  'LINK_TO_ORIGINAL',
  'ORDER',
];

describe.each(MARKETS)('%s', (market) => {
  const profile = PROFILES[market];
  const asked = profile.requirements.map(({ requirement }) => requirement);

  test('a listing that meets it is publishable, and what only the agent can do is not shown as met', () => {
    const { publishable, requirements, stagedCount } = evaluate(GOOD, market, READ);
    expect({ publishable, stagedCount }).toEqual({ publishable: true, stagedCount: 2 });
    for (const { requirement, state, imageIds } of requirements) {
      const isAgents =
        ALWAYS_OUTSIDE.includes(requirement) ||
        (profile.reach.by === 'CHOICE' && SHOWN.includes(requirement));
      expect([requirement, state, imageIds]).toEqual([requirement, isAgents ? 'OUTSIDE' : 'MET', []]);
    }
  });

  test.each(asked)('a listing that misses %s', (requirement) => {
    const { listing, imageIds, state } = MISSES[requirement];
    const answer = evaluate(listing, market, READ);
    const one = answer.requirements.find((it) => it.requirement === requirement);
    expect(one).toMatchObject({ state, imageIds });
    expect(answer.publishable).toBe(
      answer.requirements.every((it) => it.state !== 'UNMET') && state !== 'UNMET',
    );
  });

  test('asks nothing of a listing without staged pictures', () => {
    const { requirements, publishable } = evaluate({ ...GOOD, pictures: [photo('a')] }, market, READ);
    expect(publishable).toBe(true);
    expect(new Set(requirements.map(({ state }) => state))).toEqual(new Set(['MET']));
  });

  test('its data agree with each other', () => {
    expect(profile.market).toBe(market);
    expect(asked.length).toBeGreaterThan(0);
    expect(new Set(asked).size).toBe(asked.length);
    expect(asked.includes('WORDING')).toBe(profile.wording !== null);
    expect(asked.includes('ORDER')).toBe(profile.order !== 'ANY');
    expect(asked.includes('BURNED_IN_MARK')).toBe(profile.burnedInMark === 'ASKED');
    expect(asked.includes('NO_BURNED_IN_MARK')).toBe(profile.burnedInMark === 'FORBIDDEN');
    expect(profile.caption).toContain('{label}');
    for (const { source } of profile.requirements) {
      expect(source.lastRead).toMatch(/^\d{4}-\d{2}-\d{2}$/);
      expect(Date.parse(source.lastRead)).toBeLessThanOrEqual(READ);
    }
  });

  test(`is stale when it was read more than ${STALE_AFTER_DAYS} days ago`, () => {
    const lastDay = READ + STALE_AFTER_DAYS * DAY_MS;
    expect(evaluate(GOOD, market, lastDay)).toMatchObject({ isStale: false });
    const old = evaluate(GOOD, market, lastDay + 1);
    expect(old.isStale).toBe(true);
    expect(old.requirements.every(({ isStale }) => isStale)).toBe(true);
  });
});

test('every requirement is asked by some market', () => {
  const asked = Object.values(PROFILES).flatMap(({ requirements }) => requirements);
  expect(new Set(asked.map(({ requirement }) => requirement))).toEqual(new Set(REQUIREMENTS));
});

test('rules that begin later are not in force before', () => {
  const [before, after] = [Date.UTC(2026, 11, 31), Date.UTC(2027, 0, 1)];
  expect(evaluate(GOOD, 'US-WI', before).isInForce).toBe(false);
  expect(evaluate(GOOD, 'US-WI', after).isInForce).toBe(true);
  expect(evaluate(GOOD, 'US-CA-CRMLS', before).isInForce).toBe(true);
});

describe('the order on our own pages', () => {
  const orderOf = (pictures: PictureFacts[]) =>
    evaluate({ ...GOOD, pictures }, 'default', READ).requirements.find(
      ({ requirement }) => requirement === 'ORDER',
    );

  test('a picture that stands by another photo does not meet it', () => {
    expect(orderOf([photo('a'), photo('b'), staged('a1', 'a')])).toMatchObject({
      state: 'UNMET',
      imageIds: ['a1'],
    });
  });
  test('a picture in front of its photo does not meet it', () => {
    expect(orderOf([staged('a1', 'a'), photo('a')])).toMatchObject({ state: 'UNMET', imageIds: ['a1'] });
  });
});

describe('the market of an address', () => {
  test.each([
    ['GB', 'England', 'GB'],
    ['UK', null, 'GB'],
    ['US', 'CA', 'US-CA'],
    ['US', ' california ', 'US-CA'],
    ['US', 'Wisconsin', 'US-WI'],
    // A listing service is chosen, never guessed.
    ['US', 'WA', 'default'],
    ['US', null, 'default'],
    ['CA', 'CA', 'default'],
    ['ES', 'Madrid', 'EU'],
    ['IE', null, 'EU'],
    ['AU', 'NSW', 'AU'],
    ['CH', null, 'default'],
  ] as const)('%s, %s is %s', (country, stateOrProvince, market) => {
    expect(marketOf({ country, stateOrProvince })).toBe(market);
  });

  test('no address has two', () => {
    const places = Object.values(PROFILES).flatMap(({ reach }) =>
      reach.by === 'ADDRESS'
        ? reach.countries.flatMap((country) =>
            (reach.states ?? ['']).map((state) => `${country} ${state.toLowerCase()}`),
          )
        : [],
    );
    expect(new Set(places).size).toBe(places.length);
  });
});
