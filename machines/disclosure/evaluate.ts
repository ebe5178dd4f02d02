import type { AskedRequirement, Confirmable, Market, Profile, Requirement } from './profile.ts';
import { PROFILES } from './profiles.ts';

/** A public picture, as the requirements need it. */
export interface PictureFacts {
  readonly imageId: string;
  /** The photo of which it was staged or altered; null for a photo, and where that is not known. */
  readonly originalImageId: string | null;
  /** Staged here, or altered elsewhere. */
  readonly isAltered: boolean;
  /** The words that are shown with it; null for a photo, and where there are none. */
  readonly label: string | null;
  readonly hasProvenanceRecord: boolean;
  /** Whether its files hold a mark that programs read. */
  readonly hasMachineReadableMark: boolean;
  /** Whether a mark is drawn into the picture. */
  readonly hasBurnedInMark: boolean;
  /** Whether a comparison with its photo found something that should have stayed as it is. */
  readonly isDriftFlagged: boolean;
}

/** What is checked: the public pictures of a listing in the order in which they are shown, or some of them. */
export interface ShownPictures {
  /** Whether the listing has a page that everyone can open, so that a link to it leads somewhere. */
  readonly hasPublicPage: boolean;
  readonly pictures: readonly PictureFacts[];
  /** What agents confirmed about the altered pictures that are shown now. */
  readonly confirmations: readonly Confirmation[];
}

/** An agent's word that something holds in a market which the platform cannot know. */
export interface Confirmation {
  readonly market: Market;
  readonly requirement: Confirmable;
  /** Milliseconds since 1970. */
  readonly confirmedAt: number;
}

/**
 * MET: the platform knows that it holds. UNMET: it knows that it does not. OUTSIDE: only the agent can see to it, in
 * another system or by looking at the picture, and has not confirmed it; it is never met by a guess. CONFIRMED: an
 * agent confirmed it. LATER: it does not hold, and is asked from a later day.
 */
export const REQUIREMENT_STATES = ['MET', 'UNMET', 'OUTSIDE', 'CONFIRMED', 'LATER'] as const;
export type RequirementState = (typeof REQUIREMENT_STATES)[number];

export interface EvaluatedRequirement extends AskedRequirement {
  readonly state: RequirementState;
  /** The staged or altered pictures that this is about when it is not met, or to look at first. */
  readonly imageIds: readonly string[];
  /** In ms; null unless it is CONFIRMED. */
  readonly confirmedAt: number | null;
  /** True when its source was read more than `STALE_AFTER_DAYS` days ago. */
  readonly isStale: boolean;
}

export interface Evaluation {
  readonly market: Market;
  /** False while a requirement is UNMET or OUTSIDE: what no agent confirmed is not met. */
  readonly publishable: boolean;
  /** False before the first day of its rules. */
  readonly isInForce: boolean;
  /** The first day of its rules (`YYYY-MM-DD`); null when a rule has no known day. */
  readonly effectiveFrom: string | null;
  /** True when a source was read too long ago. */
  readonly isStale: boolean;
  readonly stagedCount: number;
  readonly requirements: readonly EvaluatedRequirement[];
}

/** Rules change: after this many days someone should read the source again. */
export const STALE_AFTER_DAYS = 180;
const DAY_MS = 86_400_000;

/** Whether what was read on the day `lastRead` (`YYYY-MM-DD`) is old at the instant `at`, in ms. */
export function isStale(lastRead: string, at: number): boolean {
  return at - Date.parse(lastRead) > STALE_AFTER_DAYS * DAY_MS;
}

/** The first day of the profile's rules; null when one of them has no known day. */
export function effectiveFrom({ requirements }: Profile): string | null {
  const days = requirements.map(({ source }) => source.since);
  return days.includes(null) ? null : (days.toSorted()[0] ?? null);
}

const begins = (day: string | null, at: number): boolean => day === null || Date.parse(day) <= at;

/** Whether a rule of the profile is in force at the instant `at`, in ms. */
export function isInForce(profile: Profile, at: number): boolean {
  return begins(effectiveFrom(profile), at);
}

/** Whether nothing is missing: what is asked from a later day is not missing yet. */
const isFulfilled = (state: RequirementState): boolean => state !== 'UNMET' && state !== 'OUTSIDE';

/** What a profile asks of these pictures, and what of it holds at the instant `at`, in ms. */
export function evaluate(shown: ShownPictures, market: Market, at: number): Evaluation {
  const profile = PROFILES[market];
  const staged = shown.pictures.filter(({ isAltered }) => isAltered);
  const requirements = profile.requirements.map((asked): EvaluatedRequirement => {
    // Pictures that no one altered have nothing to disclose.
    const verdict = staged.length === 0 ? MET : DECISIONS[asked.requirement]({ ...shown, staged, profile });
    const confirmedAt = verdict.state === 'OUTSIDE' ? confirmationOf(shown, market, asked.requirement) : null;
    const settled: Verdict = confirmedAt === null ? verdict : { state: 'CONFIRMED', imageIds: [] };
    const isAsked = isFulfilled(settled.state) || begins(asked.source.since, at);
    return {
      ...asked,
      ...(isAsked ? settled : { ...settled, state: 'LATER' }),
      confirmedAt,
      isStale: isStale(asked.source.lastRead, at),
    };
  });
  return {
    market,
    publishable: requirements.every(({ state }) => isFulfilled(state)),
    isInForce: isInForce(profile, at),
    effectiveFrom: effectiveFrom(profile),
    isStale: requirements.some((one) => one.isStale),
    stagedCount: staged.length,
    requirements,
  };
}

function confirmationOf({ confirmations }: ShownPictures, market: Market, asked: Requirement): number | null {
  const found = confirmations.find((one) => one.market === market && one.requirement === asked);
  return found?.confirmedAt ?? null;
}

interface Case extends ShownPictures {
  readonly staged: readonly PictureFacts[];
  readonly profile: Profile;
}
type Verdict = Pick<EvaluatedRequirement, 'state' | 'imageIds'>;

const MET: Verdict = { state: 'MET', imageIds: [] };
const OUTSIDE: Verdict = { state: 'OUTSIDE', imageIds: [] };

/** UNMET when the condition is false for a staged picture, otherwise as `then` says. */
function each({ staged }: Case, holds: (picture: PictureFacts) => boolean, then: Verdict): Verdict {
  const imageIds = staged.filter((picture) => !holds(picture)).map(({ imageId }) => imageId);
  return imageIds.length > 0 ? { state: 'UNMET', imageIds } : then;
}

/** What the platform shows holds on its own pages; in a listing service the agent has to see to it. */
const shownBy = ({ profile }: Case): Verdict => (profile.reach.by === 'CHOICE' ? OUTSIDE : MET);

const hasOriginal =
  ({ pictures }: ShownPictures) =>
  ({ originalImageId }: PictureFacts): boolean =>
    pictures.some(({ imageId }) => imageId === originalImageId);
const hasLabel = ({ label }: PictureFacts): boolean => label !== null;
const hasLink =
  ({ hasPublicPage }: ShownPictures) =>
  ({ hasProvenanceRecord }: PictureFacts): boolean =>
    hasPublicPage && hasProvenanceRecord;

const DECISIONS: Readonly<Record<Requirement, (given: Case) => Verdict>> = {
  LABEL_ON_OR_BESIDE: (given) => each(given, hasLabel, shownBy(given)),
  LABEL_IN_DESCRIPTION: (given) => each(given, hasLabel, shownBy(given)),
  WORDING(given) {
    const words = given.profile.wording?.toLowerCase() ?? '';
    return each(given, ({ label }) => label?.toLowerCase().includes(words) ?? false, MET);
  },
  ORIGINAL_PRESENT: (given) => each(given, hasOriginal(given), shownBy(given)),
  ORIGINAL_OR_LINK: (given) =>
    each(given, (picture) => hasOriginal(given)(picture) || hasLink(given)(picture), shownBy(given)),
  LINK_TO_ORIGINAL: (given) => each(given, hasLink(given), shownBy(given)),
  MACHINE_READABLE_MARK: (given) => each(given, ({ hasMachineReadableMark }) => hasMachineReadableMark, MET),
  PROVENANCE_ADDRESS: (given) => each(given, ({ hasProvenanceRecord }) => hasProvenanceRecord, MET),
  /** A comparison may err in both directions: it names the pictures to look at, a person decides. */
  FIXED_STRUCTURE_UNCHANGED: ({ staged }) => ({
    state: 'OUTSIDE',
    imageIds: staged.filter(({ isDriftFlagged }) => isDriftFlagged).map(({ imageId }) => imageId),
  }),
  ORDER(given) {
    const missing = each(given, hasOriginal(given), MET);
    if (missing.state === 'UNMET') return missing;
    if (given.profile.reach.by === 'CHOICE') return OUTSIDE;
    return each(given, standsByItsOriginal(given.pictures), MET);
  },
  BURNED_IN_MARK: (given) => each(given, hasLabel, OUTSIDE),
  FIRST_PHOTO_EXTERIOR: ({ pictures }) =>
    pictures[0]?.isAltered === false ? OUTSIDE : { state: 'UNMET', imageIds: [] },
  REMARKS_BEGIN: () => OUTSIDE,
  STAGED_FIELD: () => OUTSIDE,
  NO_BURNED_IN_MARK: (given) => each(given, ({ hasBurnedInMark }) => !hasBurnedInMark, MET),
  NOT_MISLEADING: () => OUTSIDE,
};

/** On a page, several pictures staged from one photo follow it; the page shows the photo next to each of them. */
function standsByItsOriginal(pictures: readonly PictureFacts[]): (picture: PictureFacts) => boolean {
  return ({ imageId, originalImageId }) => {
    const at = pictures.findIndex((one) => one.imageId === imageId);
    const before = pictures[at - 1];
    return before?.imageId === originalImageId || before?.originalImageId === originalImageId;
  };
}
