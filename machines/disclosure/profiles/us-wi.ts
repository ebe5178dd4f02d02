import { asked, type Profile, type RuleSource } from '../profile.ts';

const WISCONSIN_ACT: RuleSource = {
  host: 'propmedia.com',
  page: 'Wisconsin Act 69',
  kind: 'SECONDARY',
  rule: 'Advertising that was altered by technology, so that something of the home was added, removed or changed, says so.',
  since: '2027-01-01',
  lastRead: '2026-11-29',
};

/** Wisconsin. Which alterations the act means is disputed, so every altered picture is disclosed. */
export const US_WI: Profile = {
  market: 'US-WI',
  reach: { by: 'ADDRESS', countries: ['US'], states: ['WI', 'Wisconsin'] },
  requirements: asked(WISCONSIN_ACT, 'LABEL_ON_OR_BESIDE'),
  wording: null,
  remarks: null,
  order: 'ANY',
  burnedInMark: 'ALLOWED',
  drawnWords: null,
  caption: ['{label}', 'Digitally altered'],
  caveat: 'SCOPE_DISPUTED',
};
