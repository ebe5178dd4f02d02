import { z } from 'zod';
import type { Translator } from '../../i18n/translator.ts';
import type { StagedStyle } from '../../persistence/database/staged-style.ts';

/**
 * The style fields of every staged picture, public or private (docs/contract.md#disclosure). The texts are in the
 * caller's language; the label is the same in every language.
 */
export const stagedStyleFields = {
  /** The display name of the style; null when it is unknown. */
  style: z.string().nullable(),
  /** The requested style, for pictures whose style has an old name. */
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

/** Old names that are missing in the catalog are shown unchanged, without the separators between their words. */
function styleWords(name: string | null, words: Translator): string | null {
  if (name === null) return null;
  const key = `style.${name}`;
  if (words.has(key)) return words.t(key);
  const spaced = name.trim().replace(/[\s_-]+/g, ' ');
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}
