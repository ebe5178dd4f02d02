import { asked, type Profile, type RuleSource } from '../profile.ts';
import { CALIFORNIA_REQUIREMENTS } from './us-ca.ts';

export const CRMLS_RULE: RuleSource = {
  host: 'kb.crmls.org',
  page: 'CRMLS rule 11.5.2',
  kind: 'PRIMARY',
  lastRead: '2026-11-22',
};

/** California Regional MLS. Taking furniture out counts as altering, too. */
export const US_CA_CRMLS: Profile = {
  market: 'US-CA-CRMLS',
  reach: { by: 'CHOICE' },
  effectiveFrom: null,
  requirements: [
    ...asked(CRMLS_RULE, 'LABEL_IN_DESCRIPTION', 'ORDER', 'NO_BURNED_IN_MARK', 'FIXED_STRUCTURE_UNCHANGED'),
    ...CALIFORNIA_REQUIREMENTS,
  ],
  wording: null,
  order: 'ORIGINAL_BESIDE',
  burnedInMark: 'FORBIDDEN',
  caption: '{label}. Digitally altered. The photo before this one is unaltered.',
  caveat: 'CLEARING_COUNTS',
};
