import type { DescriptionLocale } from '../../machines/vocabulary.ts';
import type { ListingFacts } from '../../persistence/jobs/description-requests.ts';
import type { TextCheck, TextVerdict } from '../../supervisors/ports.ts';

/**
 * Whether a text from the provider may be shown as a draft. A text that breaks one rule is rejected completely: the
 * rest, without the bad sentence, would not have been checked as a whole, and the agent can simply request another.
 * The rules (docs/contract.md#descriptions): neutral statements (no crime, no demographics, no "safe" or "family"
 * adjectives), no words against fair-housing rules, no invented numbers, plain text of a sensible length.
 */
const MIN_CHARACTERS = 80;
/** Well within the limit of a listing's remarks. */
const MAX_CHARACTERS = 4_000;

/** Line breaks are the only control characters allowed in a plain text. */
const CONTROL = /[^\P{Cc}\n]|\p{Cf}/u;
const MARKUP = /<\/?[a-z!][^>]*>|&(?:#\d+|[a-z]+);|\*\*|^\s*#{1,6}\s|```|\[[^\]]*\]\(/im;
const CONTACT = /https?:|www\.|\S@\S|\b\d{3}[-. ]\d{3,4}[-. ]\d{4}\b/i;
const REFERENCE = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

/** Names of building types; removed before the words are checked. */
const BUILDINGS = /\b(?:single|multi|two|three|four)[\s-]?family\b/gi;
const FORBIDDEN: readonly RegExp[] = [
  // English
  /\bsafe(?:ty|r|st|ly)?\b/,
  /\bfamil(?:y|ies|iar)\b/,
  /\b(?:kids?|child(?:ren)?|couples?|singles|bachelors?|retirees?|seniors?|newlyweds?|empty[\s-]nesters?)\b/,
  /\bcrimes?\b|\bcriminal/,
  /\bdemographics?\b|\bethnic|\bracial|\bminorit(?:y|ies)\b|\bimmigrants?\b|\bnationalit/,
  /\b(?:church(?:es)?|synagogues?|mosques?|temples?|christians?|jewish|muslims?|catholics?|religio\w*)\b/,
  /\bable[\s-]bodied\b|\bhandicap/,
  /\bstag(?:ed|ing)\b|\bvirtual(?:ly)?\b/,
  // Spanish
  /\bsegur[oa]s?\b|\bseguridad\b|\bdelincuencia\b|\bcrimen(?:es)?\b|\bdelitos?\b/,
  /\bfamilias?\b|\bfamiliar(?:es)?\b/,
  /\b(?:niñ[oa]s?|hij[oa]s?|parejas?|solter[oa]s?|jubilad[oa]s?|ancian[oa]s?)/,
  /\bdemográfic|\bétnic|\bracial|\binmigrantes?\b|\bextranjer/,
  /\b(?:iglesias?|sinagogas?|mezquitas?|cristian[oa]s?|judí[oa]s?|musulm[aá]n|católic[oa]s?|religios[oa]s?)/,
  /\bminusválid|\bdiscapacitad/,
];

export function checkDescription(
  raw: string | null,
  request: { facts: ListingFacts; locale: DescriptionLocale },
): TextVerdict {
  const text = tidy(raw ?? '');
  if (text === '') return { kind: 'refused', errorCode: 'DESCRIPTION_EMPTY', why: 'no text' };
  const why = whyRefused(text, request.facts);
  return why === null ? { kind: 'good', text } : { kind: 'refused', errorCode: 'DESCRIPTION_REJECTED', why };
}

/** The same for a stored job. */
export const checkStoredDescription: TextCheck = (text, { facts, locale }) =>
  checkDescription(text, { facts: facts as ListingFacts, locale });

/** Removes spaces at the ends of lines and of the text: a habit of the model, not a fault. */
function tidy(raw: string): string {
  return raw
    .replace(/\r\n?/g, '\n')
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .normalize('NFC')
    .trim();
}

function whyRefused(text: string, facts: ListingFacts): string | null {
  if (text.length < MIN_CHARACTERS) return 'too short';
  if (text.length > MAX_CHARACTERS) return 'too long';
  if (!text.isWellFormed() || CONTROL.test(text)) return 'control characters';
  if (MARKUP.test(text)) return 'markup';
  if (CONTACT.test(text)) return 'a link, address or telephone number';
  if (REFERENCE.test(text)) return 'the reference';
  const words = text.toLowerCase().replace(BUILDINGS, '');
  const forbidden = FORBIDDEN.findIndex((pattern) => pattern.test(named(words, facts)));
  if (forbidden >= 0) return `forbidden words, rule ${forbidden + 1}`;
  return inventsNumber(text, facts) ? 'a number that is not in the facts' : null;
}

/** A street or town may be named Church Street or Temple: its name is not a statement about people. */
function named(words: string, facts: ListingFacts): string {
  return [facts.address, facts.city]
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name.length > 3)
    .reduce((rest, name) => rest.replaceAll(name, ' '), words);
}

const NUMBER = /\d+(?:[.,\u00a0\u202f]\d+)*/g;

/** Numbers in the text, with any thousands separator, must occur in the facts. */
function inventsNumber(text: string, facts: ListingFacts): boolean {
  const known = new Set(numbersIn(JSON.stringify(facts)));
  return numbersIn(text).some((number) => !known.has(number));
}

function numbersIn(text: string): string[] {
  return (text.match(NUMBER) ?? []).flatMap((found) => {
    // 1,800 and 1.800 are 1800; 2.50 and 2,5 are 2.5.
    const [whole = '', ...rest] = found.split(/[.,\u00a0\u202f]/);
    const fraction = rest.at(-1);
    const grouped = rest.every((part) => part.length === 3);
    if (grouped || fraction === undefined) return [plain(whole + rest.join(''))];
    return [plain(`${whole}${rest.slice(0, -1).join('')}.${fraction}`)];
  });
}

function plain(digits: string): string {
  return String(Number(digits));
}
