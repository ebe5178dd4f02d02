import { asked, type Profile, type RuleSource } from '../profile.ts';

const MRED_RULE: RuleSource = {
  host: 'sofabrain.com',
  page: 'MRED, mark or caption',
  kind: 'SECONDARY',
  rule: 'A mark in the picture or a caption.',
  since: null,
  lastRead: '2026-11-22',
};

/** Midwest Real Estate Data, Illinois. */
export const US_IL_MRED: Profile = {
  market: 'US-IL-MRED',
  reach: { by: 'CHOICE', countries: ['US'], states: ['IL', 'Illinois'] },
  requirements: asked(MRED_RULE, 'LABEL_ON_OR_BESIDE'),
  wording: null,
  remarks: null,
  order: 'ANY',
  burnedInMark: 'ALLOWED',
  drawnWords: null,
  caption: ['{label}'],
  caveat: null,
};
