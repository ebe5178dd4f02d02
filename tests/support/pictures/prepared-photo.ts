import { type PreparedPhoto, preparePhoto } from '../../../src/images/decoding/photo-intake.ts';
import type { ProviderCopy } from '../../../src/images/decoding/provider-copy.ts';

/** A photo as an upload stores it, with the plain copy for the provider. */
export async function plainPhoto(bytes: Buffer): Promise<PreparedPhoto & { providerInput: ProviderCopy }> {
  const { providerInput, ...prepared } = await preparePhoto(bytes, 'fixed');
  if (providerInput === null) throw new Error('a plain copy is made of every photo');
  return { ...prepared, providerInput };
}
