import { asked, type Profile, type RuleSource } from '../profile.ts';

/** California, B&P Code 10140.8 (AB 723). A link to the unaltered picture suffices on a site that the agent controls. */
export const CALIFORNIA_LAW: RuleSource = {
  host: 'codes.findlaw.com',
  page: 'California B&P Code 10140.8 (AB 723)',
  kind: 'PRIMARY',
  lastRead: '2026-11-22',
};
/** Also asked of an agent who publishes in a listing service of California. */
export const CALIFORNIA_REQUIREMENTS = asked(CALIFORNIA_LAW, 'LABEL_ON_OR_BESIDE', 'ORIGINAL_OR_LINK');

export const US_CA: Profile = {
  market: 'US-CA',
  reach: { by: 'ADDRESS', countries: ['US'], states: ['CA', 'California'] },
  effectiveFrom: '2026-01-01',
  requirements: CALIFORNIA_REQUIREMENTS,
  wording: null,
  order: 'ANY',
  burnedInMark: 'ALLOWED',
  caption: '{label}. Digitally altered. The unaltered photo: {provenance}',
  caveat: null,
};
