import sharp from 'sharp';

// Every picture comes by once: libvips's operation cache would only hold decoded pixels of strangers' photos.
sharp.cache(false);

/** A single call into libvips may not run longer than this; a passed limit is our trouble, not the photo's. */
export const SHARP_TIMEOUT_SECONDS = 120;

/** sharp with this project's process-wide settings; everything that decodes pictures imports it from here. */
export { sharp };
