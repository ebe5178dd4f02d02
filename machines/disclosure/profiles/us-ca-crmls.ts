import { asked, type Profile, type RuleSource } from '../profile.ts';
import { CALIFORNIA_REQUIREMENTS } from './us-ca.ts';

export const CRMLS_RULE: RuleSource = {
  host: 'kb.crmls.org',
  page: 'CRMLS rule 11.5.2',
  kind: 'PRIMARY',
  rule: 'The unaltered version “immediately before or after” the altered picture, and a label such as “digitally altered” or “virtually staged” in the photo description.',
  since: '2026-01-01',
  lastRead: '2026-11-22',
};

/** California Regional MLS. Taking furniture out counts as altering, too. */
export const US_CA_CRMLS: Profile = {
  market: 'US-CA-CRMLS',
  reach: { by: 'CHOICE', countries: ['US'], states: ['CA', 'California'] },
  requirements: [
    ...asked(CRMLS_RULE, 'LABEL_IN_DESCRIPTION', 'ORDER', 'NO_BURNED_IN_MARK', 'FIXED_STRUCTURE_UNCHANGED'),
    ...CALIFORNIA_REQUIREMENTS,
  ],
  wording: null,
  remarks: null,
  order: 'ORIGINAL_BESIDE',
  burnedInMark: 'FORBIDDEN',
  drawnWords: null,
  caption: [
    '{label}',
    'Digitally altered',
    '{neighbor}',
    'The unaltered photo can also be seen at {provenance}',
  ],
  caveat: 'CLEARING_COUNTS',
};
