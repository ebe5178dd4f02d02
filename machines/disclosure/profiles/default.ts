import { asked, type Profile, type RuleSource } from '../profile.ts';
import { AI_ACT_MARK } from './eu.ts';
import { CALIFORNIA_LAW } from './us-ca.ts';
import { CRMLS_RULE } from './us-ca-crmls.ts';
import { NWMLS_RULE } from './us-wa-nwmls.ts';

const PROVENANCE_LAW: RuleSource = {
  host: 'opencalaccess.org',
  page: 'California SB 942 with AB 853',
  kind: 'PRIMARY',
  rule: 'Makers of generators mark what they make; those who pass it on keep the mark.',
  since: '2026-08-02',
  lastRead: '2026-11-22',
};
const REALTORS_CODE: RuleSource = {
  host: 'cmr.realtor',
  page: 'NAR Standard of Practice 12-10',
  kind: 'SECONDARY',
  rule: 'No images that mislead.',
  since: null,
  lastRead: '2026-11-22',
};

/**
 * Where no other profile applies: the strictest of all that can hold together. Where two contradict each other, the
 * one that forbids wins (a mark in the picture), and the order is that of the primary source.
 */
export const DEFAULT: Profile = {
  market: 'default',
  reach: { by: 'REST' },
  requirements: [
    ...asked(CALIFORNIA_LAW, 'LABEL_ON_OR_BESIDE'),
    ...asked(CRMLS_RULE, 'LABEL_IN_DESCRIPTION'),
    ...asked(NWMLS_RULE, 'WORDING'),
    ...asked(CALIFORNIA_LAW, 'ORIGINAL_PRESENT', 'LINK_TO_ORIGINAL'),
    ...asked(AI_ACT_MARK, 'MACHINE_READABLE_MARK'),
    ...asked(PROVENANCE_LAW, 'PROVENANCE_ADDRESS'),
    ...asked(CRMLS_RULE, 'FIXED_STRUCTURE_UNCHANGED', 'ORDER', 'NO_BURNED_IN_MARK'),
    ...asked(REALTORS_CODE, 'NOT_MISLEADING'),
  ],
  wording: 'virtually staged',
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
  caveat: 'STRICTEST',
};
