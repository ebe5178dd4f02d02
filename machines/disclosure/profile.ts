/**
 * What a market asks of altered pictures, as data: one file a market in `profiles/`. Order, wording and whether a mark
 * may be burned in differ by market and contradict each other, so no code knows a market by name. A profile says where
 * each rule was read and when. It is help for an agent, not legal advice.
 */
export const MARKETS = [
  'GB',
  'US-CA',
  'US-CA-CRMLS',
  'US-CA-CCAR',
  'US-WA-NWMLS',
  'US-FL-STELLAR',
  'US-IL-MRED',
  'US-WI',
  'EU',
  'AU',
  'default',
] as const;
export type Market = (typeof MARKETS)[number];

/** What a profile may ask for. `evaluate.ts` decides each of them. */
export const REQUIREMENTS = [
  /** A clear statement on or next to the altered picture. */
  'LABEL_ON_OR_BESIDE',
  /** A label in the picture's description or caption. */
  'LABEL_IN_DESCRIPTION',
  /** The label has certain words: `Profile.wording`. */
  'WORDING',
  /** The unaltered picture is in the listing. */
  'ORIGINAL_PRESENT',
  /** The unaltered picture is in the listing, or a link or QR code leads to it. */
  'ORIGINAL_OR_LINK',
  /** A link from the altered picture to the unaltered one. */
  'LINK_TO_ORIGINAL',
  /** A mark inside the file that programs can read. */
  'MACHINE_READABLE_MARK',
  /** An address that tells how the picture was made. */
  'PROVENANCE_ADDRESS',
  /** Nothing that stays with the home is changed, such as walls, floors or cabinets. */
  'FIXED_STRUCTURE_UNCHANGED',
  /** The pictures stand in an order: `Profile.order`. */
  'ORDER',
  /** A mark is drawn into the picture. */
  'BURNED_IN_MARK',
  /** No mark is drawn into the picture. */
  'NO_BURNED_IN_MARK',
  /** The picture does not mislead about the home. */
  'NOT_MISLEADING',
] as const;
export type Requirement = (typeof REQUIREMENTS)[number];

/** Where a rule was read. */
export interface RuleSource {
  /** Null when the source was not named. */
  readonly host: string | null;
  /** The rule, by the name that its own place gives it. */
  readonly page: string;
  /** PRIMARY: the text of the rule itself. SECONDARY: someone's account of it. */
  readonly kind: 'PRIMARY' | 'SECONDARY';
  /** The day on which it was last read: `YYYY-MM-DD`. */
  readonly lastRead: string;
}

export interface AskedRequirement {
  readonly requirement: Requirement;
  readonly source: RuleSource;
}

/**
 * ANY: no rule; the gallery's order is kept. ORIGINAL_BESIDE: the original immediately before the altered picture.
 * ALTERED_FIRST: the altered picture, its original immediately after it.
 */
export type PictureOrder = 'ANY' | 'ORIGINAL_BESIDE' | 'ALTERED_FIRST';

/** What a person should know about a profile besides its requirements. */
export const CAVEATS = [
  'STRICTEST',
  'SCOPE_DISPUTED',
  'CONTRADICTED',
  'NO_STAGING_RULE',
  'CLEARING_COUNTS',
] as const;
type Caveat = (typeof CAVEATS)[number];

/** How a profile is found for a listing. A listing service (MLS) is chosen by the agent: an address does not tell it. */
type ProfileReach =
  | { readonly by: 'ADDRESS'; readonly countries: readonly string[]; readonly states?: readonly string[] }
  | { readonly by: 'CHOICE' }
  | { readonly by: 'REST' };

export interface Profile {
  readonly market: Market;
  readonly reach: ProfileReach;
  /** `YYYY-MM-DD`; null when the rules are in force and the day is not known. */
  readonly effectiveFrom: string | null;
  readonly requirements: readonly AskedRequirement[];
  /** Words that the label must hold, whatever their case; null when any clear words do. */
  readonly wording: string | null;
  readonly order: PictureOrder;
  /** Whether the label is drawn into the copies of an export. It is drawn only where it is asked for. */
  readonly burnedInMark: 'ASKED' | 'ALLOWED' | 'FORBIDDEN';
  /**
   * The caption of a staged picture in an export, in the market's language: `{label}` is the picture's label,
   * `{provenance}` the address of its provenance page.
   */
  readonly caption: string;
  readonly caveat: Caveat | null;
}

/** The same source for several requirements. */
export function asked(source: RuleSource, ...requirements: Requirement[]): AskedRequirement[] {
  return requirements.map((requirement) => ({ requirement, source }));
}
