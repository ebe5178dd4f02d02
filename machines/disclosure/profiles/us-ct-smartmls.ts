import { asked, type Profile, type RuleSource } from '../profile.ts';

const SMARTMLS_RULE: RuleSource = {
  host: 'connectmls.smartmls.com',
  page: 'SmartMLS, Virtually Staged Photos',
  kind: 'PRIMARY',
  rule: 'Staged photos “MUST have a stamp/watermark that notes that they are virtually staged”.',
  since: null,
  lastRead: '2026-11-29',
};

/** SmartMLS, Connecticut. The original is not asked for. */
export const US_CT_SMARTMLS: Profile = {
  market: 'US-CT-SMARTMLS',
  reach: { by: 'CHOICE', countries: ['US'], states: ['CT', 'Connecticut'] },
  requirements: asked(SMARTMLS_RULE, 'WORDING', 'BURNED_IN_MARK', 'NOT_MISLEADING'),
  wording: 'virtually staged',
  remarks: null,
  order: 'ANY',
  burnedInMark: 'ASKED',
  drawnWords: null,
  caption: ['{label}'],
  caveat: null,
};
