/** What the copies of a staged picture say about themselves (docs/contract.md#marks). */
export interface Mark {
  /**
   * A part of the variant's name. It changes with every text, with the address of the platform, and with the
   * certificate, so that copies with other marks are made again.
   */
  name: string;
  /** The metadata that is written into the file. */
  xmp: string;
  /** The file gets a signed manifest too. */
  isSigned: boolean;
}

/** What is done to a stored picture to make a copy of it. */
export type CopyChange = 'cropped' | 'resized' | 'labeled' | 'converted';
