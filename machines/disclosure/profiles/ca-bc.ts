import { asked, type Profile, type RuleSource } from '../profile.ts';

const BCFSA_GUIDELINE: RuleSource = {
  host: 'listingai.co',
  page: 'BCFSA Artificial Intelligence Guideline, February 2024',
  kind: 'SECONDARY',
  rule: 'Agents “should label photos or videos that have been altered”.',
  since: null,
  lastRead: '2026-11-29',
};

/** British Columbia. */
export const CA_BC: Profile = {
  market: 'CA-BC',
  reach: { by: 'ADDRESS', countries: ['CA'], states: ['BC', 'British Columbia'] },
  requirements: asked(BCFSA_GUIDELINE, 'LABEL_ON_OR_BESIDE', 'NOT_MISLEADING'),
  wording: null,
  remarks: null,
  order: 'ANY',
  burnedInMark: 'ALLOWED',
  drawnWords: null,
  caption: ['{label}'],
  caveat: null,
};
