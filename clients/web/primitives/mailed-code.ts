/** The code in what a person has typed or pasted: a sentence of the mail, groups of digits, full-width digits. */
export function codeIn(text: string): string {
  const plain = text.normalize('NFKC');
  return /(?<!\d)\d{6}(?!\d)/.exec(plain)?.[0] ?? plain.replaceAll(/\D/g, '');
}
