import { expect, test } from 'vitest';
import { type Audience, catalog, LOCALES } from '../../i18n/translator.ts';
import { DISCLOSURE_LABEL } from '../../machines/vocabulary.ts';
import { AUTH_CODES } from '../../src/auth/auth-codes.ts';
import { PUBLIC_ERRORS } from '../../src/errors/public-errors.ts';

// The required content of every catalog is checked in tests/ops/check/catalogs.test.ts.

test.each<Audience>(['user', 'agent'])(
  'the label in the %s catalog is the prescribed one, in every language',
  (audience) => {
    for (const locale of LOCALES)
      expect(catalog(audience, locale)['disclosure.label']).toBe(DISCLOSURE_LABEL);
    expect(catalog(audience, 'es')['disclosure.text']).not.toBe(DISCLOSURE_LABEL);
  },
);

test('every error has a message that needs no variables', () => {
  for (const { messageKey } of [...Object.values(PUBLIC_ERRORS), ...Object.values(AUTH_CODES)]) {
    for (const locale of LOCALES) {
      expect(catalog('user', locale)[messageKey], messageKey).toMatch(/^[^{}]+[.]$/);
    }
  }
});
