/** The states by their postal abbreviations, with the federal district; the files contain only the abbreviations. */
const STATE_NAMES = new Map(
  Object.entries({
    AL: 'Alabama',
    AK: 'Alaska',
    AZ: 'Arizona',
    AR: 'Arkansas',
    CA: 'California',
    CO: 'Colorado',
    CT: 'Connecticut',
    DC: 'District of Columbia',
    DE: 'Delaware',
    FL: 'Florida',
    GA: 'Georgia',
    HI: 'Hawaii',
    ID: 'Idaho',
    IL: 'Illinois',
    IN: 'Indiana',
    IA: 'Iowa',
    KS: 'Kansas',
    KY: 'Kentucky',
    LA: 'Louisiana',
    ME: 'Maine',
    MD: 'Maryland',
    MA: 'Massachusetts',
    MI: 'Michigan',
    MN: 'Minnesota',
    MS: 'Mississippi',
    MO: 'Missouri',
    MT: 'Montana',
    NE: 'Nebraska',
    NV: 'Nevada',
    NH: 'New Hampshire',
    NJ: 'New Jersey',
    NM: 'New Mexico',
    NY: 'New York',
    NC: 'North Carolina',
    ND: 'North Dakota',
    OH: 'Ohio',
    OK: 'Oklahoma',
    OR: 'Oregon',
    PA: 'Pennsylvania',
    PR: 'Puerto Rico',
    RI: 'Rhode Island',
    SC: 'South Carolina',
    SD: 'South Dakota',
    TN: 'Tennessee',
    TX: 'Texas',
    UT: 'Utah',
    VT: 'Vermont',
    VA: 'Virginia',
    WA: 'Washington',
    WV: 'West Virginia',
    WI: 'Wisconsin',
    WY: 'Wyoming',
  }),
);

/** `Washington` for `WA`; null when it is not a state. */
export function stateName(code: string): string | null {
  return STATE_NAMES.get(code) ?? null;
}

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
