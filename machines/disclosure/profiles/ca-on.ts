import { asked, type Profile, type RuleSource } from '../profile.ts';

const ONTARIO_RULES: RuleSource = {
  host: 'plotpane.com',
  page: 'Ontario: O. Reg. 365/22 s. 5; PropTx MLS Rules of 2024-12-02',
  kind: 'SECONDARY',
  rule: 'A staged picture is “clearly labelled as virtually staged”, and the same photo unstaged appears with it.',
  since: '2024-12-02',
  lastRead: '2026-11-29',
};

/** Ontario. One account reads the rule as a ban of every digitally altered picture. */
export const CA_ON: Profile = {
  market: 'CA-ON',
  reach: { by: 'ADDRESS', countries: ['CA'], states: ['ON', 'Ontario'] },
  requirements: asked(ONTARIO_RULES, 'WORDING', 'LABEL_ON_OR_BESIDE', 'ORIGINAL_PRESENT', 'NOT_MISLEADING'),
  wording: 'virtually staged',
  remarks: null,
  order: 'ANY',
  burnedInMark: 'ALLOWED',
  drawnWords: null,
  caption: ['{label}'],
  caveat: 'CONTRADICTED',
};
