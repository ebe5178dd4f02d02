import { describe, expect, test } from 'vitest';
import {
  type Confirmation,
  evaluate,
  type PictureFacts,
  type RequirementState,
  type ShownPictures,
  STALE_AFTER_DAYS,
} from '../../../machines/disclosure/evaluate.ts';
import {
  CONFIRMABLE,
  MARKETS,
  type Market,
  type Profile,
  REQUIREMENTS,
  type Requirement,
} from '../../../machines/disclosure/profile.ts';
import { marketOf, PROFILES } from '../../../machines/disclosure/profiles.ts';

/** The latest day on which a rule was read. */
const READ = Date.UTC(2026, 10, 29);
/** When every rule is in force. */
const NOW = Date.UTC(2027, 0, 1);
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
  confirmations: [],
};
const allConfirmed = (market: Market, confirmedAt = 7): Confirmation[] =>
  CONFIRMABLE.map((requirement) => ({ market, requirement, confirmedAt }));

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
  FIRST_PHOTO_EXTERIOR: missing({ ...GOOD, pictures: GOOD.pictures.slice(1) }),
  REMARKS_BEGIN: { listing: GOOD, imageIds: [], state: 'OUTSIDE' },
  STAGED_FIELD: { listing: GOOD, imageIds: [], state: 'OUTSIDE' },
  NOT_MISLEADING: { listing: GOOD, imageIds: [], state: 'OUTSIDE' },
};
/** Never met by a guess, wherever they are asked. */
const ALWAYS_OUTSIDE: readonly Requirement[] = [
  'FIXED_STRUCTURE_UNCHANGED',
  'BURNED_IN_MARK',
  'FIRST_PHOTO_EXTERIOR',
  'REMARKS_BEGIN',
  'STAGED_FIELD',
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

  const isAgents = (requirement: Requirement) =>
    ALWAYS_OUTSIDE.includes(requirement) || (profile.reach.by === 'CHOICE' && SHOWN.includes(requirement));

  test('what only the agent can do is not met before the agent confirms it', () => {
    const { publishable, requirements, stagedCount } = evaluate(GOOD, market, NOW);
    expect({ publishable, stagedCount }).toEqual({ publishable: !asked.some(isAgents), stagedCount: 2 });
    for (const { requirement, state, imageIds, confirmedAt } of requirements) {
      const expected = isAgents(requirement) ? 'OUTSIDE' : 'MET';
      expect([requirement, state, imageIds, confirmedAt]).toEqual([requirement, expected, [], null]);
    }
  });

  test('a listing that meets it and is confirmed is publishable', () => {
    const listing = { ...GOOD, confirmations: allConfirmed(market) };
    const { publishable, requirements } = evaluate(listing, market, NOW);
    expect(publishable).toBe(true);
    for (const { requirement, state, confirmedAt } of requirements)
      expect([requirement, state, confirmedAt]).toEqual(
        isAgents(requirement) ? [requirement, 'CONFIRMED', 7] : [requirement, 'MET', null],
      );
  });

  test('a confirmation for another market does not count', () => {
    const other = market === 'EU' ? 'GB' : 'EU';
    const listing = { ...GOOD, confirmations: allConfirmed(other) };
    expect(evaluate(listing, market, NOW)).toEqual(evaluate(GOOD, market, NOW));
  });

  test.each(asked)('a listing that misses %s', (requirement) => {
    const { listing, imageIds, state } = MISSES[requirement];
    const answer = evaluate(listing, market, NOW);
    const one = answer.requirements.find((it) => it.requirement === requirement);
    expect(one).toMatchObject({ state, imageIds });
    expect(answer.publishable).toBe(false);
    // No word of an agent makes up for what the platform knows to be missing.
    const confirmed = evaluate({ ...listing, confirmations: allConfirmed(market) }, market, NOW);
    const after = confirmed.requirements.find((it) => it.requirement === requirement);
    expect(after?.state).toBe(state === 'UNMET' ? 'UNMET' : 'CONFIRMED');
  });

  test('its caption says what its sources ask', () => {
    expect(missingWords(profile)).toEqual([]);
  });

  test('asks nothing of a listing without staged pictures', () => {
    const { requirements, publishable } = evaluate({ ...GOOD, pictures: [photo('a')] }, market, NOW);
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
    expect(asked.includes('REMARKS_BEGIN')).toBe(profile.remarks !== null);
    expect(profile.caption[0]).toBe('{label}');
    for (const { source } of profile.requirements) {
      expect(source.rule.length).toBeGreaterThan(10);
      if (source.since !== null) expect(source.since).toMatch(/^\d{4}-\d{2}-\d{2}$/);
      expect(source.lastRead).toMatch(/^\d{4}-\d{2}-\d{2}$/);
      expect(Date.parse(source.lastRead)).toBeLessThanOrEqual(READ);
    }
  });

  test(`is stale when it was read more than ${STALE_AFTER_DAYS} days ago`, () => {
    const first = Math.min(...profile.requirements.map(({ source }) => Date.parse(source.lastRead)));
    const lastDay = first + STALE_AFTER_DAYS * DAY_MS;
    expect(evaluate(GOOD, market, lastDay)).toMatchObject({ isStale: false });
    expect(evaluate(GOOD, market, lastDay + 1).isStale).toBe(true);
    const old = evaluate(GOOD, market, READ + STALE_AFTER_DAYS * DAY_MS + 1);
    expect(old.requirements.every(({ isStale }) => isStale)).toBe(true);
  });
});

test('every requirement is asked by some market', () => {
  const asked = Object.values(PROFILES).flatMap(({ requirements }) => requirements);
  expect(new Set(asked.map(({ requirement }) => requirement))).toEqual(new Set(REQUIREMENTS));
});

describe('rules that begin later', () => {
  const bare = changed({ label: null, hasMachineReadableMark: false });
  const at = (market: Market, day: string, listing = bare) => {
    const { isInForce, effectiveFrom, publishable, requirements } = evaluate(
      listing,
      market,
      Date.parse(day),
    );
    return {
      isInForce,
      effectiveFrom,
      publishable,
      states: requirements.map(({ state }) => state).join(' '),
    };
  };

  test('are not missing before their day, and are from it on', () => {
    const effectiveFrom = '2027-01-01';
    expect(at('US-WI', '2026-12-31')).toEqual({
      isInForce: false,
      effectiveFrom,
      publishable: true,
      states: 'LATER',
    });
    expect(at('US-WI', '2027-01-01')).toEqual({
      isInForce: true,
      effectiveFrom,
      publishable: false,
      states: 'UNMET',
    });
    expect(at('US-WI', '2026-12-31', GOOD).states).toBe('MET');
  });

  test('each rule of a profile has its own day', () => {
    expect(at('EU', '2026-08-01')).toMatchObject({ isInForce: false, states: 'LATER LATER' });
    expect(at('EU', '2026-08-02')).toMatchObject({ isInForce: true, states: 'UNMET LATER' });
    expect(at('EU', '2026-12-02')).toMatchObject({
      effectiveFrom: '2026-08-02',
      publishable: false,
      states: 'UNMET UNMET',
    });
  });

  test('a rule without a known day is in force', () => {
    expect(at('AU', '2020-01-01')).toMatchObject({ isInForce: true, effectiveFrom: null, states: 'OUTSIDE' });
  });
});

/** What the words of a profile's sources require of its caption or of the words in the picture, and is not there. */
function missingWords({ requirements, caption, drawnWords, order, burnedInMark }: Profile): string[] {
  const sentences = caption.join('. ');
  const text = `${sentences.replace('{label}', 'AI · Virtually staged')} ${drawnWords ?? ''}`.toLowerCase();
  return [...new Set(requirements.map(({ source }) => source))].flatMap(({ page, rule }) => {
    const asks = requirements
      .filter(({ source }) => source.page === page)
      .map(({ requirement }) => requirement);
    const quoted = [...rule.matchAll(/“([^”]+)”/g)].map(([, words = '']) => words.toLowerCase());
    const labels = quoted.filter((words) =>
      /^(?:virtually staged|digitally altered|image does|furniture)/.test(words),
    );
    const needs: [boolean, boolean, string][] = [
      [labels.length > 0, labels.some((words) => text.includes(words)), 'a quoted label'],
      [/link to|URL|QR code”/.test(rule), sentences.includes('{provenance}'), 'the address'],
      [
        /can be accessed/.test(rule),
        /unaltered photo can (?:also )?be seen at \{provenance\}/.test(sentences),
        'where',
      ],
      [/immediately/.test(rule), order !== 'ANY' && caption.includes('{neighbor}'), 'the neighbor'],
      [/must immediately follow/.test(rule), order === 'ALTERED_FIRST', 'the order'],
      [/in the picture/.test(rule) && asks.includes('BURNED_IN_MARK'), burnedInMark === 'ASKED', 'the mark'],
      [/stamp/.test(rule), burnedInMark === 'ASKED', 'the stamp'],
      [/No “watermarks”|overlays of text/.test(rule), burnedInMark === 'FORBIDDEN', 'no mark'],
      [/“QR codes”/.test(rule), !sentences.includes('{provenance}'), 'no address'],
    ];
    return needs
      .filter(([isNeeded, isThere]) => isNeeded && !isThere)
      .map(([, , what]) => `${page}: ${what}`);
  });
}

test('a caption without what its source asks is found', () => {
  const { 'US-CA': california, 'US-CA-CCAR': ccar, 'US-TX-HAR': har } = PROFILES;
  const without = (profile: Profile, left: string) => ({
    ...profile,
    caption: profile.caption.filter((sentence) => !sentence.includes(left)),
  });
  expect(missingWords(without(california, 'provenance'))).toHaveLength(2);
  expect(missingWords({ ...california, caption: ['{label}', '{provenance}'] })).toHaveLength(1);
  expect(missingWords(without(ccar, 'neighbor'))).toHaveLength(1);
  expect(missingWords({ ...ccar, order: 'ORIGINAL_BESIDE' })).toHaveLength(1);
  expect(missingWords({ ...har, drawnWords: null })).toHaveLength(1);
});

describe('the order on our own pages', () => {
  const orderOf = (pictures: PictureFacts[]) =>
    evaluate({ ...GOOD, pictures }, 'default', NOW).requirements.find(
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
    ['CA', 'Ontario', 'CA-ON'],
    ['CA', 'bc', 'CA-BC'],
    ['CA', 'Quebec', 'default'],
    // Their bills are not law.
    ['US', 'NJ', 'default'],
    ['US', 'New York', 'default'],
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
