import { asked, type Profile, type RuleSource } from '../profile.ts';

const CONSUMER_LAW: RuleSource = {
  host: null,
  page: 'Australian Consumer Law s 18 and s 30',
  kind: 'SECONDARY',
  rule: 'No misleading representation about land.',
  since: null,
  lastRead: '2026-11-22',
};

/** Australia: no misleading representation about land. A rule for pictures was not found. */
export const AU: Profile = {
  market: 'AU',
  reach: { by: 'ADDRESS', countries: ['AU'] },
  requirements: asked(CONSUMER_LAW, 'NOT_MISLEADING'),
  wording: null,
  remarks: null,
  order: 'ANY',
  burnedInMark: 'ALLOWED',
  drawnWords: null,
  caption: ['{label}'],
  caveat: 'NO_STAGING_RULE',
};
