import { describe, expect, test } from 'vitest';
import { checkDescription } from '../../../src/prompts/description-check.ts';
import { featureNames } from '../../../src/prompts/feature-names.ts';
import { FEATURE_KEYS } from '../../../src/wire/listings/feature-keys.ts';
import { FACTS } from '../../support/database/seed-description.ts';

const GOOD =
  'This townhouse at 1 Test Lane in Springfield has 3 bedrooms and 2.5 bathrooms on 1,800 square feet.\n\n' +
  'Built in 1998, it offers a fireplace and a garden on a lot of 0.25 acres.';
const check = (text: string | null, facts: Partial<typeof FACTS> = {}) =>
  checkDescription(text, { facts: { ...FACTS, ...facts }, locale: 'en' });

describe('a text that follows the rules', () => {
  test('becomes the draft, trimmed and with normalized line ends', () => {
    expect(check(`\r\n  ${GOOD.replaceAll('\n', '\r\n')}  \n\n\n`)).toEqual({ kind: 'good', text: GOOD });
  });

  test('may write numbers in the format of its language', () => {
    const spanish =
      'Esta vivienda en 1 Test Lane dispone de 3 dormitorios y 2,5 baños en 1.800 pies cuadrados, con chimenea y jardín.';
    expect(check(spanish).kind).toBe('good');
  });

  test('may name every kind of building and every feature', () => {
    for (const locale of ['en', 'es'] as const)
      for (const name of featureNames(FEATURE_KEYS, locale))
        expect([name, check(`${GOOD} Also: ${name}.`).kind]).toEqual([name, 'good']);
    for (const kind of ['single-family', 'Multi family', 'vivienda unifamiliar'])
      expect([kind, check(`${GOOD} A ${kind} home.`).kind]).toEqual([kind, 'good']);
  });

  test('may name a street that is named after people or a church', () => {
    expect(check(GOOD.replace('1 Test Lane', '5 Church Street'), { address: '5 Church Street' }).kind).toBe(
      'good',
    );
    expect(check(`${GOOD} It is near a church.`).kind).toBe('refused');
  });
});

describe('an empty text, or nearly empty', () => {
  test.each([null, '', ' \n\t '])('%j counts as empty', (text) => {
    expect(check(text)).toMatchObject({ kind: 'refused', errorCode: 'DESCRIPTION_EMPTY' });
  });
});

describe('rejected texts', () => {
  test.each([
    ['too short', 'A home.'],
    ['too long', `${GOOD} `.repeat(40)],
    ['control characters', `${GOOD}\u0000`],
    ['control characters', `${GOOD}\u202Ehidden`],
    ['control characters', `${GOOD}\ud800`],
    ['markup', `<p>${GOOD}</p>`],
    ['markup', `# Home\n${GOOD}`],
    ['markup', `**Home** ${GOOD}`],
    ['markup', `${GOOD} [here](x)`],
    ['markup', `${GOOD} &amp; more`],
    ['a link', `${GOOD} See https://example.com.`],
    ['a link', `${GOOD} Write to a@example.com.`],
    ['a link', `${GOOD} Call 206-555-0100.`],
    ['the reference', `${GOOD} 11111111-1111-4111-8111-111111111111`],
    ['a number', `${GOOD} Only 5 minutes from the beach.`],
    ['a number', `${GOOD} Built in 2005.`],
    ['a number', `${GOOD} On 18,000 square feet.`],
    ['forbidden', `${GOOD} A safe street.`],
    ['forbidden', `${GOOD} Feel the SAFETY.`],
    ['forbidden', `${GOOD} Perfect for families.`],
    ['forbidden', `${GOOD} A family home.`],
    ['forbidden', `${GOOD} Ideal for young couples.`],
    ['forbidden', `${GOOD} Low crime.`],
    ['forbidden', `${GOOD} Diverse demographics.`],
    ['forbidden', `${GOOD} Beautifully staged rooms.`],
    ['forbidden', `${GOOD} Un barrio seguro.`],
    ['forbidden', `${GOOD} Ideal para familias.`],
    ['forbidden', `${GOOD} Perfecto para niños.`],
  ])('%s: %j', (why, text) => {
    const verdict = check(text);
    expect(verdict).toMatchObject({ kind: 'refused', errorCode: 'DESCRIPTION_REJECTED' });
    expect(verdict.kind === 'refused' && verdict.why).toContain(why);
  });
});
