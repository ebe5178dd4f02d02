import { asked, type Profile, type RuleSource } from '../profile.ts';

const HAR_RULE: RuleSource = {
  host: 'sofabrain.com',
  page: 'HAR MLS, words in the picture',
  kind: 'SECONDARY',
  rule: 'The words “image does not represent actual property as is” in the picture, and the original with it.',
  since: null,
  lastRead: '2026-11-29',
};

/** The MLS of the Houston Association of Realtors, Texas. Accounts differ about the words. */
export const US_TX_HAR: Profile = {
  market: 'US-TX-HAR',
  reach: { by: 'CHOICE', countries: ['US'], states: ['TX', 'Texas'] },
  requirements: asked(HAR_RULE, 'BURNED_IN_MARK', 'ORIGINAL_PRESENT'),
  wording: null,
  remarks: null,
  order: 'ANY',
  burnedInMark: 'ASKED',
  drawnWords: 'image does not represent actual property as is',
  caption: ['{label}'],
  caveat: 'CONTRADICTED',
};
