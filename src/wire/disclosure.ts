import { z } from 'zod';
import { LOCALES, type Locale, type Translator } from '../../i18n/translator.ts';
import {
  type EvaluatedRequirement,
  type Evaluation,
  isInForce,
  isStale,
  REQUIREMENT_STATES,
} from '../../machines/disclosure/evaluate.ts';
import { MARKETS, type Market, type Profile, REQUIREMENTS } from '../../machines/disclosure/profile.ts';
import { PROFILES } from '../../machines/disclosure/profiles.ts';
import type { DisclosureSubject } from '../../persistence/images/disclosure-pictures.ts';
import { uuid } from './text.ts';

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

/** A calendar day. */
const day = z.string();
const source = z.object({
  /** Null when the source was not named. */
  host: z.string().nullable(),
  page: z.string(),
  kind: z.enum(['PRIMARY', 'SECONDARY']),
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
  /** OUTSIDE: only the agent can see to it, in another system or by looking; never met by a guess. */
  state: z.enum(REQUIREMENT_STATES),
  /** Whether the state is MET. */
  met: z.boolean(),
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
  /** False when a requirement is UNMET. */
  publishable: z.boolean(),
  stagedCount: z.int(),
  requirements: z.array(requirementOutput),
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

export function toCheck(
  evaluation: Evaluation,
  { words, followsFromAddress }: { words: Translator; followsFromAddress: boolean },
): DisclosureCheck {
  const { market, publishable, stagedCount } = evaluation;
  const profile = PROFILES[market];
  return {
    ...toProfile(profile, words),
    isInForce: evaluation.isInForce,
    stale: evaluation.isStale,
    followsFromAddress,
    publishable,
    stagedCount,
    requirements: evaluation.requirements.map((one) => toRequirement(one, { profile, words })),
    notLegalAdvice: words.t('disclosure.notLegalAdvice'),
  };
}

function toProfile({ market, effectiveFrom, caveat }: Profile, { t }: Translator) {
  return {
    market,
    name: t(`market.${market}`),
    effectiveFrom,
    caveat: caveat === null ? null : t(`disclosure.caveat.${caveat}`),
  };
}

function toRequirement(
  { requirement, state, imageIds, source: { lastRead, ...source }, isStale }: EvaluatedRequirement,
  { profile: { wording, order }, words: { t } }: { profile: Profile; words: Translator },
): z.output<typeof requirementOutput> {
  // Two orders contradict each other, so each has words of its own.
  const name = requirement === 'ORDER' ? `ORDER.${order}` : requirement;
  const variables = { words: wording ?? '', count: imageIds.length };
  const flagged = state === 'OUTSIDE' && imageIds.length > 0;
  return {
    requirement,
    text: t(`disclosure.requirement.${name}`, variables),
    state,
    met: state === 'MET',
    howToMeet:
      state === 'MET'
        ? null
        : [
            t(`disclosure.${state === 'OUTSIDE' ? 'outside' : 'unmet'}.${requirement}`, variables),
            ...(flagged ? [t('disclosure.lookFirst', variables)] : []),
          ].join(' '),
    imageIds: [...imageIds],
    source,
    lastRead,
    stale: isStale,
  };
}
