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
  'US-CT-SMARTMLS',
  'US-FL-STELLAR',
  'US-IL-MRED',
  'US-MD-BRIGHT',
  'US-NC-CANOPY',
  'US-NY-REBNY',
  'US-OH-MLSNOW',
  'US-TN-REALTRACS',
  'US-TX-HAR',
  'US-WA-NWMLS',
  'US-WI',
  'CA-BC',
  'CA-ON',
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
  /** The first picture is an unaltered photo of the home from outside. */
  'FIRST_PHOTO_EXTERIOR',
  /** The public description begins with certain words: `Profile.remarks`. */
  'REMARKS_BEGIN',
  /** The listing service has a field for staged pictures, and it is checked. */
  'STAGED_FIELD',
  /** The picture does not mislead about the home. */
  'NOT_MISLEADING',
] as const;
export type Requirement = (typeof REQUIREMENTS)[number];

/** What only an agent can know, at least in some markets. Until an agent confirms it, it is not met. */
export const CONFIRMABLE = [
  'LABEL_ON_OR_BESIDE',
  'LABEL_IN_DESCRIPTION',
  'ORIGINAL_PRESENT',
  'ORIGINAL_OR_LINK',
  'LINK_TO_ORIGINAL',
  'FIXED_STRUCTURE_UNCHANGED',
  'ORDER',
  'BURNED_IN_MARK',
  'FIRST_PHOTO_EXTERIOR',
  'REMARKS_BEGIN',
  'STAGED_FIELD',
  'NOT_MISLEADING',
] as const satisfies readonly Requirement[];
export type Confirmable = (typeof CONFIRMABLE)[number];

/** Where a rule was read. */
export interface RuleSource {
  /** Null when the source was not named. */
  readonly host: string | null;
  /** The rule, by the name that its own place gives it. */
  readonly page: string;
  /** PRIMARY: the text of the rule itself. SECONDARY: someone's account of it. */
  readonly kind: 'PRIMARY' | 'SECONDARY';
  /** The rule in a few words; what is in quotation marks is quoted. The captions are checked against it. */
  readonly rule: string;
  /** The day from which it applies: `YYYY-MM-DD`; null when it applies and the day is not known. */
  readonly since: string | null;
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

/** How a profile is found for a listing. A listing service (MLS) is chosen by the agent among those of the address. */
type ProfileReach =
  | {
      readonly by: 'ADDRESS' | 'CHOICE';
      readonly countries: readonly string[];
      /** Names and abbreviations. All of the countries without them. */
      readonly states?: readonly string[];
    }
  | { readonly by: 'REST' };

export interface Profile {
  readonly market: Market;
  readonly reach: ProfileReach;
  readonly requirements: readonly AskedRequirement[];
  /** Words that the label must hold, whatever their case; null when any clear words do. */
  readonly wording: string | null;
  /** Words with which the public description must begin; null when none are asked for. */
  readonly remarks: string | null;
  readonly order: PictureOrder;
  /** Whether the label is drawn into the copies of an export. It is drawn only where it is asked for. */
  readonly burnedInMark: 'ASKED' | 'ALLOWED' | 'FORBIDDEN';
  /** Words that are drawn after the label; null when the label is enough. */
  readonly drawnWords: string | null;
  /**
   * The sentences of an altered picture's caption in an export, in the market's language. `{label}` is the picture's
   * label, `{neighbor}` says where its photo is in the order, `{provenance}` is the address of its provenance page. A
   * sentence about something that the picture does not have is left out.
   */
  readonly caption: readonly string[];
  readonly caveat: Caveat | null;
}

/** The same source for several requirements. */
export function asked(source: RuleSource, ...requirements: Requirement[]): AskedRequirement[] {
  return requirements.map((requirement) => ({ requirement, source }));
}
