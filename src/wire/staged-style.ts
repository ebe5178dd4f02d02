import { z } from 'zod';
import type { Translator } from '../../i18n/translator.ts';
import type { StagedStyle } from '../../persistence/database/staged-style.ts';

/**
 * What every staged picture says of itself, public or private (docs/contract.md#disclosure). The words are in the
 * language of the caller; the label beside them is the same in every language.
 */
export const stagedStyleFields = {
  /** The display words of the style; null when it is not known. */
  style: z.string().nullable(),
  /** What was asked for, of pictures with an old name for their style. */
  submittedStyle: z.string().nullable(),
  /** The old name. */
  legacyStyle: z.string().nullable(),
};

export function toStagedStyle(
  { canonicalStyle, submittedStyle, legacyStyle }: StagedStyle,
  words: Translator,
) {
  return { style: styleWords(legacyStyle ?? canonicalStyle, words), submittedStyle, legacyStyle };
}

/** Old names that no catalog has are shown as they are, without the marks between their words. */
function styleWords(name: string | null, words: Translator): string | null {
  if (name === null) return null;
  const key = `style.${name}`;
  if (words.has(key)) return words.t(key);
  const spaced = name.trim().replace(/[\s_-]+/g, ' ');
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}
