import { asked, type Profile, type RuleSource } from '../profile.ts';

const CANOPY_RULE: RuleSource = {
  host: 'doorappeal.com',
  page: 'Canopy MLS rule 1.18.1',
  kind: 'SECONDARY',
  rule: 'A label “Virtually Staged” or “Digitally Altered” in the picture; a caption alone “is explicitly insufficient”; the original is among the pictures.',
  since: null,
  lastRead: '2026-11-29',
};

/** Canopy MLS, North and South Carolina. */
export const US_NC_CANOPY: Profile = {
  market: 'US-NC-CANOPY',
  reach: { by: 'CHOICE', countries: ['US'], states: ['NC', 'North Carolina', 'SC', 'South Carolina'] },
  requirements: asked(CANOPY_RULE, 'BURNED_IN_MARK', 'ORIGINAL_PRESENT'),
  wording: null,
  remarks: null,
  order: 'ANY',
  burnedInMark: 'ASKED',
  drawnWords: null,
  caption: ['{label}'],
  caveat: null,
};
