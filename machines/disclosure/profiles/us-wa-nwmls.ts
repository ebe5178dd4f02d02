import { asked, type Profile, type RuleSource } from '../profile.ts';

export const NWMLS_RULE: RuleSource = {
  host: 'sofabrain.com',
  page: 'NWMLS rule 105(d)',
  kind: 'SECONDARY',
  rule: 'Every altered picture is “clearly labeled” as “virtually staged”.',
  since: null,
  lastRead: '2026-11-29',
};

/**
 * Northwest MLS, Washington. One account says that a caption is enough, another asks for a mark in the picture: the copies of an
 * export have both.
 */
export const US_WA_NWMLS: Profile = {
  market: 'US-WA-NWMLS',
  reach: { by: 'CHOICE', countries: ['US'], states: ['WA', 'Washington'] },
  requirements: asked(NWMLS_RULE, 'WORDING', 'LABEL_ON_OR_BESIDE', 'BURNED_IN_MARK'),
  wording: 'virtually staged',
  remarks: null,
  order: 'ANY',
  burnedInMark: 'ASKED',
  drawnWords: null,
  caption: ['{label}'],
  caveat: 'CONTRADICTED',
};
