import { asked, type Profile, type RuleSource } from '../profile.ts';

const MLSNOW_RULE: RuleSource = {
  host: 'support.mlsnow.com',
  page: 'MLS Now Rules 3.1 to 3.3',
  kind: 'PRIMARY',
  rule: 'No “watermarks” and no “QR codes”; the first picture is “an unaltered current exterior photo”; staging of movable things “with disclosure”; nothing permanent is changed.',
  since: null,
  lastRead: '2026-11-29',
};

/** MLS Now, Ohio. It allows a label in a picture that is not the first, and asks for none. */
export const US_OH_MLSNOW: Profile = {
  market: 'US-OH-MLSNOW',
  reach: { by: 'CHOICE', countries: ['US'], states: ['OH', 'Ohio'] },
  requirements: asked(
    MLSNOW_RULE,
    'LABEL_IN_DESCRIPTION',
    'FIRST_PHOTO_EXTERIOR',
    'NO_BURNED_IN_MARK',
    'FIXED_STRUCTURE_UNCHANGED',
  ),
  wording: null,
  remarks: null,
  order: 'ANY',
  burnedInMark: 'FORBIDDEN',
  drawnWords: null,
  caption: ['{label}'],
  caveat: null,
};
