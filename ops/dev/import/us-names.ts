/** `King County` for `KING` or `King`. Louisiana and Alaska use other words, and some counties are cities. */
export function countyName(county: string, state: string): string {
  const name = county === county.toUpperCase() ? titleCase(county) : county;
  if (/\b(City|County|Parish|Borough|Census Area|District of Columbia)$/.test(name)) return name;
  if (state === 'AK') return name;
  return `${name} ${state === 'LA' ? 'Parish' : 'County'}`;
}

function titleCase(text: string): string {
  const SMALL = new Set(['of', 'and', 'the', 'du', 'de']);
  const words = text.toLowerCase().split(' ');
  return words
    .map((word, index) =>
      index > 0 && SMALL.has(word)
        ? word
        : word
            .replace(/(^|[-'.])\p{L}/gu, (start) => start.toUpperCase())
            .replace(/^Mc\p{L}/u, (start) => `Mc${start.slice(2).toUpperCase()}`)
            .replace(/'S$/, "'s"),
    )
    .join(' ');
}
