import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The folder of real pictures beside the repository, or null when it does not exist. */
export function sharedPictures(name: 'tricky-images' | 'photos'): string | null {
  const folder = fileURLToPath(new URL(`../../../../shared/data/${name}`, import.meta.url));
  return existsSync(folder) ? folder : null;
}
