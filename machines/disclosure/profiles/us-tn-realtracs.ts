import { asked, type Profile, type RuleSource } from '../profile.ts';

const REALTRACS_RULE: RuleSource = {
  host: 'news.realtracs.com',
  page: 'RealTracs rule 2.7',
  kind: 'PRIMARY',
  rule: 'Staged pictures are “designated as such in the media remarks”; the room as it is comes “immediately before or immediately after”; overlays of text are “prohibited”.',
  since: null,
  lastRead: '2026-11-29',
};

/** RealTracs, Tennessee. */
export const US_TN_REALTRACS: Profile = {
  market: 'US-TN-REALTRACS',
  reach: { by: 'CHOICE', countries: ['US'], states: ['TN', 'Tennessee'] },
  requirements: asked(
    REALTRACS_RULE,
    'LABEL_IN_DESCRIPTION',
    'ORDER',
    'NO_BURNED_IN_MARK',
    'FIXED_STRUCTURE_UNCHANGED',
    'NOT_MISLEADING',
  ),
  wording: null,
  remarks: null,
  order: 'ORIGINAL_BESIDE',
  burnedInMark: 'FORBIDDEN',
  drawnWords: null,
  caption: ['{label}', '{neighbor}'],
  caveat: null,
};
