import { z } from 'zod';
import { LOCALES, type Locale, type Translator } from '../../i18n/translator.ts';
import {
  type EvaluatedRequirement,
  effectiveFrom,
  evaluate,
  isInForce,
  isStale,
  REQUIREMENT_STATES,
} from '../../machines/disclosure/evaluate.ts';
import {
  CONFIRMABLE,
  MARKETS,
  type Market,
  type Profile,
  REQUIREMENTS,
} from '../../machines/disclosure/profile.ts';
import { listingServicesAt, PROFILES } from '../../machines/disclosure/profiles.ts';
import type { DisclosureListing, DisclosureSubject } from '../../persistence/images/disclosure-pictures.ts';
import { instant, iso, uuid } from './text.ts';

export const market = z.enum(MARKETS);
/** The language of the words in the answer: a page may be in another language than the person's own. */
const locale = z.enum(LOCALES).optional();

export const listProfilesInput = z.strictObject({ locale }).nullish();

/** About one listing or one picture, not both. */
export const checkInput = z
  .strictObject({ propertyId: uuid.optional(), imageId: uuid.optional(), market: market.optional(), locale })
  .transform(
    (
      { propertyId, imageId, ...more },
      { issues },
    ): { subject: DisclosureSubject; market?: Market | undefined; locale?: Locale | undefined } => {
      if (propertyId !== undefined && imageId === undefined) return { subject: { propertyId }, ...more };
      if (imageId !== undefined && propertyId === undefined) return { subject: { imageId }, ...more };
      const message = 'Give exactly one of propertyId and imageId.';
      issues.push({ code: 'custom', input: { propertyId, imageId }, message });
      return z.NEVER;
    },
  );

/** What an agent confirms about the altered pictures that a check showed. */
export const confirmInput = z.strictObject({
  propertyId: uuid,
  market,
  conditions: z.array(z.enum(CONFIRMABLE)).min(1).max(CONFIRMABLE.length),
  /** `alteredPictures` of the check. */
  alteredPictures: z.string().regex(/^[0-9a-f]{64}$/),
  locale,
});

/** A calendar day. */
const day = z.string();
const source = z.object({
  /** Null when the source was not named. */
  host: z.string().nullable(),
  page: z.string(),
  kind: z.enum(['PRIMARY', 'SECONDARY']),
  /** The rule in a few words of English, what is in quotation marks quoted. */
  rule: z.string(),
  /** The day from which the rule applies; null when it applies and the day is not known. */
  since: day.nullable(),
});
const profileFields = {
  market,
  /** In the language that was asked for, or the caller's. */
  name: z.string(),
  isInForce: z.boolean(),
  /** Null when the rules are in force and the day is not known. */
  effectiveFrom: day.nullable(),
  /** True when a source was read more than 180 days ago. */
  stale: z.boolean(),
  /** What to know about the rules besides their requirements. */
  caveat: z.string().nullable(),
};
const profileOutput = z.object({
  ...profileFields,
  /** ADDRESS: the address of a listing tells it. CHOICE: the agent chooses it. REST: where no other applies. */
  reach: z.enum(['ADDRESS', 'CHOICE', 'REST']),
  burnedInMark: z.enum(['ASKED', 'ALLOWED', 'FORBIDDEN']),
});
export const listProfilesOutput = z.object({ items: z.array(profileOutput), notLegalAdvice: z.string() });

const requirementOutput = z.object({
  requirement: z.enum(REQUIREMENTS),
  /** What is asked, in the caller's language. */
  text: z.string(),
  /**
   * OUTSIDE: only the agent can see to it, in another system or by looking, and no agent confirmed it. LATER: not met,
   * and asked from a later day.
   */
  state: z.enum(REQUIREMENT_STATES),
  /** Whether the state is MET or CONFIRMED. */
  met: z.boolean(),
  /** When an agent confirmed it; null unless the state is CONFIRMED. */
  confirmedAt: instant.nullable(),
  /** In the caller's language; null when it is met. */
  howToMeet: z.string().nullable(),
  /** The staged pictures that this is about. */
  imageIds: z.array(z.string()),
  source,
  lastRead: day,
  stale: z.boolean(),
});
export const checkOutput = z.object({
  ...profileFields,
  /** Whether the market follows from the listing's address, or was asked for. */
  followsFromAddress: z.boolean(),
  /** The listing services of the listing's state, for the agent to choose from. */
  listingServices: z.array(z.object({ market, name: z.string() })),
  /** False while a requirement is UNMET or OUTSIDE. */
  publishable: z.boolean(),
  stagedCount: z.int(),
  requirements: z.array(requirementOutput),
  /** Names the altered pictures of the listing, for `disclosure.confirm`. */
  alteredPictures: z.string(),
  notLegalAdvice: z.string(),
});
export type DisclosureCheck = z.output<typeof checkOutput>;

export function toProfiles(at: number, words: Translator): z.output<typeof listProfilesOutput> {
  const items = Object.values(PROFILES).map((profile) => ({
    ...toProfile(profile, words),
    isInForce: isInForce(profile, at),
    stale: profile.requirements.some(({ source }) => isStale(source.lastRead, at)),
    reach: profile.reach.by,
    burnedInMark: profile.burnedInMark,
  }));
  return { items, notLegalAdvice: words.t('disclosure.notLegalAdvice') };
}

interface CheckFacts {
  readonly market: Market;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly words: Translator;
  readonly followsFromAddress: boolean;
}

/** What the market asks of the listing's pictures at that instant, and what of it holds. */
export function toCheck(listing: DisclosureListing, { market, at, ...facts }: CheckFacts): DisclosureCheck {
  const evaluation = evaluate(listing, market, at);
  const { words, followsFromAddress } = facts;
  const { publishable, stagedCount } = evaluation;
  const profile = PROFILES[market];
  return {
    ...toProfile(profile, words),
    isInForce: evaluation.isInForce,
    stale: evaluation.isStale,
    followsFromAddress,
    listingServices: listingServicesAt(listing).map((one) => ({
      market: one,
      name: words.t(`market.${one}`),
    })),
    publishable,
    stagedCount,
    requirements: evaluation.requirements.map((one) => toRequirement(one, { profile, words })),
    alteredPictures: listing.alteredPictures,
    notLegalAdvice: words.t('disclosure.notLegalAdvice'),
  };
}

function toProfile(profile: Profile, { t }: Translator) {
  const { market, caveat } = profile;
  return {
    market,
    name: t(`market.${market}`),
    effectiveFrom: effectiveFrom(profile),
    caveat: caveat === null ? null : t(`disclosure.caveat.${caveat}`),
  };
}

function toRequirement(
  {
    requirement,
    state,
    imageIds,
    confirmedAt,
    source: { lastRead, ...source },
    isStale,
  }: EvaluatedRequirement,
  { profile, words }: { profile: Profile; words: Translator },
): z.output<typeof requirementOutput> {
  // Two orders contradict each other, so each has words of its own.
  const name = requirement === 'ORDER' ? `ORDER.${profile.order}` : requirement;
  const asked = requirement === 'REMARKS_BEGIN' ? profile.remarks : profile.wording;
  const variables = { words: asked ?? '', count: imageIds.length };
  const isMet = state === 'MET' || state === 'CONFIRMED';
  return {
    requirement,
    text: words.t(`disclosure.requirement.${name}`, variables),
    state,
    met: isMet,
    confirmedAt: confirmedAt === null ? null : iso(confirmedAt),
    howToMeet: isMet
      ? null
      : howToMeet({ requirement, state, imageIds }, { ...variables, date: source.since ?? '' }, words),
    imageIds: [...imageIds],
    source,
    lastRead,
    stale: isStale,
  };
}

function howToMeet(
  { requirement, state, imageIds }: Pick<EvaluatedRequirement, 'requirement' | 'state' | 'imageIds'>,
  variables: Record<string, string | number>,
  { t }: Translator,
): string {
  if (state === 'UNMET') return t(`disclosure.unmet.${requirement}`, variables);
  if (state === 'LATER') return t('disclosure.later', variables);
  const first = imageIds.length > 0 ? [t('disclosure.lookFirst', variables)] : [];
  return [t(`disclosure.outside.${requirement}`, variables), ...first].join(' ');
}
