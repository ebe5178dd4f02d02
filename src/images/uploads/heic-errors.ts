import { PublicError } from '../../errors/errors.ts';

const EXPORT = 'Export it as JPEG and send that file.';
const REFUSALS = {
  PHOTO_TYPE_UNSUPPORTED: {
    messageKey: 'photo.heicUnsupported',
    message: `HEIC pictures are not accepted here. ${EXPORT}`,
  },
  PHOTO_TOO_LARGE: {
    messageKey: 'photo.heicTooLarge',
    message: `This HEIC picture is too large to be read: at most 50 megapixels. ${EXPORT}`,
  },
  PHOTO_BROKEN: {
    messageKey: 'photo.heicBroken',
    message: `This HEIC picture cannot be read. ${EXPORT}`,
  },
} as const;

const isRefusal = (code: string): code is keyof typeof REFUSALS => Object.hasOwn(REFUSALS, code);

/** The refusal of every HEIC, with HEIC_ENABLED=false. */
export const heicNotTaken = (): PublicError =>
  new PublicError('PHOTO_TYPE_UNSUPPORTED', REFUSALS.PHOTO_TYPE_UNSUPPORTED);

/** The same error; the refusal of a picture says that it may be exported as JPEG, which its device can do. */
export function asHeicError(error: unknown): unknown {
  if (!(error instanceof PublicError) || !isRefusal(error.code)) return error;
  const { code, details } = error;
  return new PublicError(code, { ...REFUSALS[code], details, cause: error });
}
