import { asked, type Profile, type RuleSource } from '../profile.ts';

const BRIGHT_RULE: RuleSource = {
  host: 'plotpane.com',
  page: 'Bright MLS Policy on Images and Documents, section 1',
  kind: 'SECONDARY',
  rule: '“Virtually Staged” in the caption field of each staged picture; nothing that the owner does not control is changed.',
  since: null,
  lastRead: '2026-11-29',
};

/** Bright MLS, from New Jersey to Virginia. */
export const US_MD_BRIGHT: Profile = {
  market: 'US-MD-BRIGHT',
  reach: {
    by: 'CHOICE',
    countries: ['US'],
    states: [
      'MD',
      'Maryland',
      'DC',
      'District of Columbia',
      'DE',
      'Delaware',
      'NJ',
      'New Jersey',
      'PA',
      'Pennsylvania',
      'VA',
      'Virginia',
      'WV',
      'West Virginia',
    ],
  },
  requirements: asked(BRIGHT_RULE, 'WORDING', 'LABEL_IN_DESCRIPTION', 'NOT_MISLEADING'),
  wording: 'virtually staged',
  remarks: null,
  order: 'ANY',
  burnedInMark: 'ALLOWED',
  drawnWords: null,
  caption: ['{label}'],
  caveat: null,
};
