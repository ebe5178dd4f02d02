/** Searches all output and stored data of processes for secrets, in every JSON and URL encoding. */
export class LeakSearch {
  readonly #needles: { name: string; isIn(text: string): boolean }[] = [];

  /** A value that must occur nowhere. */
  add(name: string, value: string): void {
    if (value.length < 6) throw new Error(`${name} is too short to be looked for`);
    if (/^\d{6}$/.test(value)) {
      // Six digits can be a part of longer numbers and ids; only on their own they are the code.
      const alone = new RegExp(`(?<![\\w-])${value}(?![\\w-])`);
      this.#needles.push({ name, isIn: (text) => alone.test(text) });
      return;
    }
    const spellings = [...new Set([value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)])];
    this.#needles.push({ name, isIn: (text) => spellings.some((spelling) => text.includes(spelling)) });
  }

  /** Words that occur only beside a secret, in upper or lower case. */
  addWord(name: string, word: string): void {
    const lower = word.toLowerCase();
    this.#needles.push({ name, isIn: (text) => text.toLowerCase().includes(lower) });
  }

  /** A part from the middle of a file, in base64 at each of the three alignments and in hexadecimal. */
  addBytes(name: string, bytes: Buffer): void {
    const middle = Math.floor(bytes.length / 6) * 3;
    for (const shift of [0, 1, 2])
      this.add(`${name} in base64`, bytes.subarray(middle + shift, middle + shift + 30).toString('base64'));
    this.add(`${name} in hexadecimal`, bytes.subarray(middle, middle + 24).toString('hex'));
  }

  /** `what: name of the secret` for every secret found in a text; the texts are not repeated. */
  in(what: string, texts: readonly string[]): string[] {
    const found = this.#needles.filter(({ isIn }) => texts.some(isIn));
    return [...new Set(found.map(({ name }) => `${what}: ${name}`))];
  }
}
