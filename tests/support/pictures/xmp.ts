import { sharp } from '../../../src/images/decoding/sharp-settings.ts';

/** The three fields of a staged picture's XMP, and the label in each language; null for a file without XMP. */
export async function readXmp(bytes: Buffer) {
  const { xmp } = await sharp(bytes).metadata();
  if (xmp === undefined) return null;
  const text = xmp.toString();
  const first = (pattern: RegExp) => pattern.exec(text)?.[1];
  return {
    sourceType: first(/Iptc4xmpExt:DigitalSourceType="([^"]*)"/),
    address: first(/xmpRights:WebStatement="([^"]*)"/),
    label: Object.fromEntries(
      [...text.matchAll(/<rdf:li xml:lang="([^"]+)">([^<]*)<\/rdf:li>/g)].map(([, language, words]) => [
        language,
        words,
      ]),
    ),
  };
}

/** What the XMP of a staged picture of a test's host says. */
export const stagedXmpOf = (imageId: string) => ({
  sourceType: 'http://cv.iptc.org/newscodes/digitalsourcetype/compositeWithTrainedAlgorithmicMedia',
  address: `https://api.example.com/provenance/${imageId}`,
  label: {
    'x-default': 'AI · Virtually staged',
    en: 'AI · Virtually staged',
    es: 'IA · Amueblado virtual',
  },
});
