import { asked, type Profile, type RuleSource } from '../profile.ts';

const DMCC_ACT: RuleSource = {
  host: null,
  page: 'Digital Markets, Competition and Consumers Act 2024',
  kind: 'SECONDARY',
  rule: 'No misleading material information.',
  since: '2025-04-06',
  lastRead: '2026-11-22',
};

/** The United Kingdom: no misleading material information. A rule for staging was not found. */
export const GB: Profile = {
  market: 'GB',
  // UK is no ISO code, but people write it.
  reach: { by: 'ADDRESS', countries: ['GB', 'UK'] },
  requirements: asked(DMCC_ACT, 'NOT_MISLEADING'),
  wording: null,
  remarks: null,
  order: 'ANY',
  burnedInMark: 'ALLOWED',
  drawnWords: null,
  caption: ['{label}'],
  caveat: 'NO_STAGING_RULE',
};
