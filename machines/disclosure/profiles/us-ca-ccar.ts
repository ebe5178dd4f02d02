import { asked, type Profile, type RuleSource } from '../profile.ts';
import { CALIFORNIA_REQUIREMENTS } from './us-ca.ts';

const CCAR_RULE: RuleSource = {
  host: 'ccartoday.com',
  page: 'CCAR MLS rule 11.5.2',
  kind: 'SECONDARY',
  rule: 'The altered picture first; the original “must immediately follow”; a label that says “digitally altered”, “altered”, “AI altered” or much the same.',
  since: '2026-01-01',
  lastRead: '2026-11-29',
};

/** The MLS of the CCAR association in California. */
export const US_CA_CCAR: Profile = {
  market: 'US-CA-CCAR',
  reach: { by: 'CHOICE', countries: ['US'], states: ['CA', 'California'] },
  requirements: [...asked(CCAR_RULE, 'ORDER', 'LABEL_IN_DESCRIPTION'), ...CALIFORNIA_REQUIREMENTS],
  wording: null,
  remarks: null,
  order: 'ALTERED_FIRST',
  burnedInMark: 'ALLOWED',
  drawnWords: null,
  caption: [
    '{label}',
    'Digitally altered',
    '{neighbor}',
    'The unaltered photo can also be seen at {provenance}',
  ],
  caveat: null,
};
