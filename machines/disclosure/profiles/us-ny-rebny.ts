import { asked, type Profile, type RuleSource } from '../profile.ts';

const REBNY_RULE: RuleSource = {
  host: 'sofabrain.com',
  page: 'REBNY RLS, words in the picture',
  kind: 'SECONDARY',
  rule: 'Words in the picture such as “Furniture Not Included”.',
  since: null,
  lastRead: '2026-11-29',
};

/** The listing service of the Real Estate Board of New York. */
export const US_NY_REBNY: Profile = {
  market: 'US-NY-REBNY',
  reach: { by: 'CHOICE', countries: ['US'], states: ['NY', 'New York'] },
  requirements: asked(REBNY_RULE, 'BURNED_IN_MARK'),
  wording: null,
  remarks: null,
  order: 'ANY',
  burnedInMark: 'ASKED',
  drawnWords: 'furniture not included',
  caption: ['{label}'],
  caveat: null,
};
