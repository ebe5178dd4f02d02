import sharp from 'sharp';

// Every picture is read once: libvips's operation cache would only keep decoded pixels of other people's photos.
sharp.cache(false);
// A process decodes one picture at a time; the number of processes sets the parallelism.
sharp.concurrency(1);

/** sharp with this project's settings. Only a decoder's process may import it: see `decoder.ts`. */
export { sharp };
