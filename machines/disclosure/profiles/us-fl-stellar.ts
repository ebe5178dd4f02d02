import { asked, type Profile, type RuleSource } from '../profile.ts';

const STELLAR_RULE: RuleSource = {
  host: 'sofabrain.com',
  page: 'Stellar MLS, label or caption',
  kind: 'SECONDARY',
  lastRead: '2026-11-22',
};

/** Stellar MLS, Florida. */
export const US_FL_STELLAR: Profile = {
  market: 'US-FL-STELLAR',
  reach: { by: 'CHOICE' },
  effectiveFrom: null,
  requirements: asked(STELLAR_RULE, 'LABEL_ON_OR_BESIDE'),
  wording: null,
  order: 'ANY',
  burnedInMark: 'ALLOWED',
  caption: '{label}',
  caveat: null,
};
