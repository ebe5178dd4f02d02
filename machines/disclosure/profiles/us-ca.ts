import { asked, type Profile, type RuleSource } from '../profile.ts';

/** B&P Code 10140.8 (AB 723). On a site that the agent controls, the unaltered picture itself may be shown instead. */
export const CALIFORNIA_LAW: RuleSource = {
  host: 'codes.findlaw.com',
  page: 'California B&P Code 10140.8 (AB 723)',
  kind: 'PRIMARY',
  rule: 'A statement on or next to the picture, a “link to a publicly accessible internet website, URL, or QR code” with the unaltered picture, and words that it “can be accessed” there.',
  since: '2026-01-01',
  lastRead: '2026-11-29',
};
/** Also asked of an agent who publishes in a listing service of California. */
export const CALIFORNIA_REQUIREMENTS = asked(CALIFORNIA_LAW, 'LABEL_ON_OR_BESIDE', 'ORIGINAL_OR_LINK');

/** California. */
export const US_CA: Profile = {
  market: 'US-CA',
  reach: { by: 'ADDRESS', countries: ['US'], states: ['CA', 'California'] },
  requirements: CALIFORNIA_REQUIREMENTS,
  wording: null,
  remarks: null,
  order: 'ANY',
  burnedInMark: 'ALLOWED',
  drawnWords: null,
  caption: ['{label}', 'Digitally altered', 'The unaltered photo can be seen at {provenance}'],
  caveat: null,
};
