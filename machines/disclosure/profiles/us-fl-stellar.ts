import { asked, type Profile, type RuleSource } from '../profile.ts';

const STELLAR_RULE: RuleSource = {
  host: 'rules.stellarmls.com',
  page: 'Stellar MLS Article 04.04',
  kind: 'PRIMARY',
  rule: 'The words “Virtually staged” in the photo description, the virtually staged field checked, and public remarks that begin with: “One or more photo(s) was virtually staged.”',
  since: null,
  lastRead: '2026-11-29',
};

/** Stellar MLS, Florida. Accounts contradict each other about its fines, not about what it asks. */
export const US_FL_STELLAR: Profile = {
  market: 'US-FL-STELLAR',
  reach: { by: 'CHOICE', countries: ['US'], states: ['FL', 'Florida'] },
  requirements: asked(
    STELLAR_RULE,
    'WORDING',
    'LABEL_IN_DESCRIPTION',
    'STAGED_FIELD',
    'REMARKS_BEGIN',
    'FIXED_STRUCTURE_UNCHANGED',
  ),
  wording: 'virtually staged',
  remarks: 'One or more photo(s) was virtually staged.',
  order: 'ANY',
  burnedInMark: 'ALLOWED',
  drawnWords: null,
  caption: ['{label}'],
  caveat: null,
};
