import { createTranslator, LOCALES, siteName } from '../../../i18n/translator.ts';
import { DISCLOSURE_LABEL } from '../../../machines/vocabulary.ts';

/** The kind of a staged picture in the press vocabulary (IPTC Digital Source Type), in XMP and in a manifest. */
export const DIGITAL_SOURCE_TYPE =
  'http://cv.iptc.org/newscodes/digitalsourcetype/compositeWithTrainedAlgorithmicMedia';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (one) => ENTITIES[one] ?? one);

/** The label, and its translations, as programs choose them by language. */
const description = (): string =>
  [
    ['x-default', DISCLOSURE_LABEL],
    ...LOCALES.map((locale) => [locale, createTranslator(locale, 'user').t('disclosure.text')]),
  ]
    .map(([language = '', text = '']) => `<rdf:li xml:lang="${language}">${escaped(text)}</rdf:li>`)
    .join('');

const notSigned = (address: string): string =>
  `Not signed, because of its size. The record of this picture: ${address}`;
/** Names no one: an operator's pictures carry the operator's name only. */
const NAMESPACE = 'urn:virtual-staging:xmp:1:';

/**
 * The XMP packet of a staged picture: how it was made, its label, and the address of its provenance page. The pixels
 * and the stored bytes are unchanged.
 * @param isUnusual a copy that would be signed if its size were one of the ladder's, which it says
 */
export function stagedXmp(provenanceAddress: string, { isUnusual = false } = {}): string {
  const signature = isUnusual
    ? `\n xmlns:staging="${NAMESPACE}"\n staging:Signature="${escaped(notSigned(provenanceAddress))}"`
    : '';
  return `<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"
 xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmpRights="http://ns.adobe.com/xap/1.0/rights/"
 Iptc4xmpExt:DigitalSourceType="${DIGITAL_SOURCE_TYPE}"
 xmpRights:WebStatement="${escaped(provenanceAddress)}"${signature}>
<dc:description><rdf:Alt>${description()}</rdf:Alt></dc:description>
<dc:publisher><rdf:Bag><rdf:li>${escaped(siteName())}</rdf:li></rdf:Bag></dc:publisher></rdf:Description>
</rdf:RDF></x:xmpmeta>
<?xpacket end="r"?>`;
}
