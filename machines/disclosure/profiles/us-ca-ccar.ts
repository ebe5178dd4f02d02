import { asked, type Profile, type RuleSource } from '../profile.ts';
import { CALIFORNIA_REQUIREMENTS } from './us-ca.ts';

const CCAR_RULE: RuleSource = {
  host: 'ccartoday.com',
  page: 'CCAR MLS, order of altered pictures',
  kind: 'SECONDARY',
  lastRead: '2026-11-22',
};

/** The MLS of the CCAR association in California. */
export const US_CA_CCAR: Profile = {
  market: 'US-CA-CCAR',
  reach: { by: 'CHOICE' },
  effectiveFrom: null,
  requirements: [...asked(CCAR_RULE, 'ORDER'), ...CALIFORNIA_REQUIREMENTS],
  wording: null,
  order: 'ALTERED_FIRST',
  burnedInMark: 'ALLOWED',
  caption: '{label}. Digitally altered. The photo after this one is unaltered.',
  caveat: null,
};
