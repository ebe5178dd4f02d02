import { asked, type Profile, type RuleSource } from '../profile.ts';

/** A mark by the generator; those of this platform were on the market before. */
export const AI_ACT_MARK: RuleSource = {
  host: 'licentium.io',
  page: 'EU AI Act art. 50(2)',
  kind: 'SECONDARY',
  rule: '“Machine-readable marking” by the maker of the system; systems that were on the market before August 2, 2026 have until December 2.',
  since: '2026-12-02',
  lastRead: '2026-11-29',
};
/** A visible disclosure by the person who publishes a deep fake. */
const AI_ACT_LABEL: RuleSource = {
  host: 'licentium.io',
  page: 'EU AI Act art. 50(4)',
  kind: 'SECONDARY',
  rule: 'A person who publishes a deep fake discloses “its artificial origin”.',
  since: '2026-08-02',
  lastRead: '2026-11-29',
};

/** By their ISO codes. */
const MEMBERS = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK';

/** The European Union. */
export const EU: Profile = {
  market: 'EU',
  reach: { by: 'ADDRESS', countries: MEMBERS.split(' ') },
  requirements: [
    ...asked(AI_ACT_LABEL, 'LABEL_ON_OR_BESIDE'),
    ...asked(AI_ACT_MARK, 'MACHINE_READABLE_MARK'),
  ],
  wording: null,
  remarks: null,
  order: 'ANY',
  burnedInMark: 'ALLOWED',
  drawnWords: null,
  caption: ['{label}', 'Altered by artificial intelligence', 'How this picture was made: {provenance}'],
  caveat: null,
};
