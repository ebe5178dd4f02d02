import { asked, type Profile, type RuleSource } from '../profile.ts';

export const NWMLS_RULE: RuleSource = {
  host: 'sofabrain.com',
  page: 'NWMLS rule 105(d)',
  kind: 'SECONDARY',
  lastRead: '2026-11-22',
};

/**
 * Northwest MLS, Washington. The rule asks for a label with these words, and no account of it says that a caption is
 * enough: so the copies of an export carry it.
 */
export const US_WA_NWMLS: Profile = {
  market: 'US-WA-NWMLS',
  reach: { by: 'CHOICE' },
  effectiveFrom: null,
  requirements: asked(NWMLS_RULE, 'WORDING', 'LABEL_ON_OR_BESIDE', 'BURNED_IN_MARK'),
  wording: 'virtually staged',
  order: 'ANY',
  burnedInMark: 'ASKED',
  caption: '{label}',
  caveat: null,
};
