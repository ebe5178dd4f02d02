import { asked, type Profile, type RuleSource } from '../profile.ts';

/** 50(2): a mark by the generator. 50(4): a visible disclosure by the person who publishes a deep fake. */
export const AI_ACT: RuleSource = {
  host: null,
  page: 'EU AI Act art. 50(2) and 50(4)',
  kind: 'SECONDARY',
  lastRead: '2026-11-22',
};

/** By their ISO codes. */
const MEMBERS = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK';

/** The European Union. */
export const EU: Profile = {
  market: 'EU',
  reach: {
    by: 'ADDRESS',
    countries: MEMBERS.split(' '),
  },
  effectiveFrom: '2026-08-02',
  requirements: asked(AI_ACT, 'MACHINE_READABLE_MARK', 'LABEL_ON_OR_BESIDE'),
  wording: null,
  order: 'ANY',
  burnedInMark: 'ALLOWED',
  caption: '{label}. Altered by artificial intelligence. {provenance}',
  caveat: 'CONTRADICTED',
};
