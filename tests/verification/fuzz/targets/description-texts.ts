import fc from 'fast-check';
import { expect } from 'vitest';
import { checkDescription } from '../../../../src/prompts/description-check.ts';
import { FACTS } from '../../../support/database/seed-description.ts';
import { defineTarget } from '../target.ts';
import { hostileText } from '../values/hostile-values.ts';

const SOUND =
  'A bright home on a quiet street, with 3 bedrooms and 2.5 bathrooms, a garden and a fireplace. Windows on two sides bring light all day.';

/** Texts from the provider: an accepted one can be stored and shown unchanged, and is accepted again. */
export const descriptionTexts = defineTarget<unknown, { text: string; locale: 'en' | 'es' }>({
  name: 'description-texts',
  about: 'texts that the provider wrote',
  runs: 800,
  mustSee: ['good', 'refused'],
  input: () =>
    fc.record({
      text: fc.oneof(
        hostileText,
        fc
          .tuple(hostileText, fc.nat(SOUND.length))
          .map(([text, at]) => SOUND.slice(0, at) + text + SOUND.slice(at)),
        fc
          .tuple(fc.constantFrom('<', '9,', ' \t', '\r', '&#', '[](', 'a@', 'é'), fc.nat(3_000))
          .map(([unit, times]) => SOUND + unit.repeat(times)),
      ),
      locale: fc.constantFrom('en' as const, 'es' as const),
    }),
  feed({ text, locale }) {
    const verdict = checkDescription(text, { facts: FACTS, locale });
    if (verdict.kind === 'good') {
      expect(verdict.text).not.toMatch(/[^\P{Cc}\n]|<[a-z][^>]*>/u);
      expect(verdict.text.isWellFormed()).toBe(true);
      expect(checkDescription(verdict.text, { facts: FACTS, locale })).toEqual(verdict);
    }
    return verdict.kind;
  },
});
