import { asked, type Profile, type RuleSource } from '../profile.ts';

const WISCONSIN_ACT: RuleSource = {
  host: null,
  page: 'Wisconsin Act 69',
  kind: 'SECONDARY',
  lastRead: '2026-11-22',
};

/** Wisconsin. Which alterations the act means is disputed, so every altered picture is disclosed. */
export const US_WI: Profile = {
  market: 'US-WI',
  reach: { by: 'ADDRESS', countries: ['US'], states: ['WI', 'Wisconsin'] },
  effectiveFrom: '2027-01-01',
  requirements: asked(WISCONSIN_ACT, 'LABEL_ON_OR_BESIDE'),
  wording: null,
  order: 'ANY',
  burnedInMark: 'ALLOWED',
  caption: '{label}. Digitally altered.',
  caveat: 'SCOPE_DISPUTED',
};
